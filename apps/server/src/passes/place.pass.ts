import { createHash } from 'node:crypto';
import type { PlacementTurnInput, Wait } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { Settlement } from '../settlement/settlement.js';
import { WakeBus } from '../wake/wake-bus.js';
import { DispatchRelay } from './dispatch-relay.js';
import type { PassResult } from './pass-runner.js';
import { type PlaceableTaskRun, readPlaceable, readPool } from './place.snapshot.js';
import { type WrittenDispatch, writePlacements, writeWaits } from './place.write.js';

const MAX_DECISIONS = 500;
const LOCK_CLASS = 7_236_002;
/** Another server is placing in this pool: look again soon, it may have read before our work was there. */
const BUSY_RETRY_MS = 20;
/** Waiting work turns to `blocked` a second after it became ready. */
const BLOCK_CHECK_MS = 1000;

interface PoolTurn {
  dispatches: WrittenDispatch[];
  failures: Wait[];
  more: boolean;
  busy: boolean;
  waiting: boolean;
}

/** Ready and blocked task runs get a node, a fence and a reservation, or a stored reason why not. One pool at a time, one turn per transaction. */
@Injectable()
export class PlacePass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
    @Inject(PlacementEngine) private readonly engine: PlacementEngine,
    @Inject(DispatchRelay) private readonly relay: DispatchRelay,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  async run(): Promise<PassResult> {
    const pools = await sqlOutsideTransaction(this.source).query<{ id: string }>(
      `select id from pools p where exists (select 1 from task_runs t where t.pool_id = p.id and t.state in ('ready', 'blocked')) order by id`,
    );
    let again = false;
    let wakeInMs: number | undefined;
    for (const { id } of pools) {
      const pullAfterSeconds = this.relay.pullAfterSeconds;
      const turn = await inTransaction(this.source, (sql) => this.turn(sql, id, pullAfterSeconds));
      void this.relay.deliver(turn.dispatches, pullAfterSeconds);
      this.announce(turn.dispatches);
      for (const failure of turn.failures) await this.fail(id, failure);
      again ||= turn.more || turn.failures.length > 0;
      if (turn.busy) wakeInMs = BUSY_RETRY_MS;
      else if (turn.waiting) wakeInMs ??= BLOCK_CHECK_MS;
    }
    return { again, wakeInMs };
  }

  private async turn(sql: Sql, poolId: string, pullAfterSeconds: number): Promise<PoolTurn> {
    const [lock] = await sql.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1, $2) as held', [LOCK_CLASS, lockKeyOf(poolId)]);
    if (!lock!.held) return { dispatches: [], failures: [], more: false, busy: true, waiting: false };
    const pool = await readPool(sql, poolId);
    const placeable = await readPlaceable(sql, pool, MAX_DECISIONS);
    if (placeable.length === 0) return { dispatches: [], failures: [], more: false, busy: false, waiting: false };
    const input: PlacementTurnInput = {
      policy: pool.policy,
      seed: seedOf(poolId, pool.nowMs, placeable[0]!.request.taskRunId),
      nowMs: pool.nowMs,
      nodes: pool.nodes,
      selectorState: pool.selectorState,
      requests: placeable.map((each) => each.request),
      maxDecisions: MAX_DECISIONS,
    };
    const result = await this.engine.decide(input);
    const times = { resendSeconds: this.config.relayResendSeconds, pullAfterSeconds };
    const dispatches = result.placements.length > 0 ? await writePlacements(sql, input, pool, result, placeable, times) : [];
    const { failures, waits } = splitWaits(result.waits, placeable);
    if (waits.length > 0) await this.block(sql, poolId, waits);
    return { dispatches, failures, more: result.placements.length >= MAX_DECISIONS, busy: false, waiting: waits.length > 0 };
  }

  private async block(sql: Sql, poolId: string, waits: { shapeHash: string; code: string; reason: string }[]): Promise<void> {
    const blocked = await writeWaits(sql, poolId, waits);
    this.wakeBus.changed([...new Set(blocked.map((row) => row.run_id))].map((id) => ({ entity: 'run', id })));
  }

  /** Every waiting task run of an impossible shape ends at once; more than a batch of them in the next turn. */
  private async fail(poolId: string, failure: Wait): Promise<void> {
    const settled = await inTransaction(this.source, async (sql) => {
      const rows = await sql.query<{ id: string }>(
        `select id from task_runs where pool_id = $1 and shape_hash = (select shape_hash from task_runs where id = $2)
           and state in ('ready', 'blocked') order by id limit $3`,
        [poolId, failure.taskRunId, MAX_DECISIONS],
      );
      return this.settlement.failUnplaceable(
        sql,
        rows.map((row) => row.id),
        { code: failure.code, text: failure.reason },
      );
    });
    this.settlement.announce(settled);
  }

  private announce(dispatches: readonly WrittenDispatch[]): void {
    const runs = new Set(dispatches.map((dispatch) => dispatch.runId));
    this.wakeBus.changed([...runs].map((id) => ({ entity: 'run', id })));
  }
}

/** Impossible requests fail; of those that wait, one reason per shape. */
function splitWaits(waits: readonly Wait[], placeable: readonly PlaceableTaskRun[]) {
  const shapeOf = new Map(placeable.map((each) => [each.request.taskRunId, each.shapeHash]));
  const failures = new Map<string, Wait>();
  const waiting = new Map<string, { shapeHash: string; code: string; reason: string }>();
  for (const wait of waits) {
    const shapeHash = shapeOf.get(wait.taskRunId)!;
    const impossible = wait.code === 'infeasible' || wait.code === 'invalid-labels';
    if (impossible && !failures.has(shapeHash)) failures.set(shapeHash, wait);
    if (!impossible && !waiting.has(shapeHash)) waiting.set(shapeHash, { shapeHash, code: wait.code, reason: wait.reason });
  }
  return { failures: [...failures.values()], waits: [...waiting.values()] };
}

function lockKeyOf(poolId: string): number {
  return createHash('sha256').update(poolId).digest().readInt32BE(0);
}

/** Differs from turn to turn and is stored with the turn. */
function seedOf(poolId: string, nowMs: number, firstTaskRunId: string): string {
  return createHash('sha256').update(`${poolId} ${nowMs} ${firstTaskRunId}`).digest('hex').slice(0, 16);
}
