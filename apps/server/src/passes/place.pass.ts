import { createHash } from 'node:crypto';
import { ageingSeconds, type LimitTake, type PlacementTurnResult, type Wait } from '@medley/core';
import { inTransaction, roundTrip, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import { isDatabaseUnavailable } from '../database/database-faults.js';
import { LOGGER } from '../logging/logger.js';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { Settlement } from '../settlement/settlement.js';
import { WakeBus } from '../wake/wake-bus.js';
import { DispatchRelay } from './dispatch-relay.js';
import type { PassResult } from './pass-runner.js';
import { nodesToPrefetchTo, readBacklog, readPrefetchFacts } from './place.backlog.js';
import { readLimits, type TakenLimits } from './place.limits.js';
import { type PlaceableTaskRun, readPlaceable, readPool, readShapes, type Shape } from './place.snapshot.js';
import { type DecidedTurn, type WrittenDispatch, writePlacements, writeWaits } from './place.write.js';

const MAX_DECISIONS = 500;
/** A turn holds the pool's lock and its snapshot ages: what is not decided by then is left to the next one. */
const TURN_MS = 50;
const LOCK_CLASS = 7_236_002;
/** Another server is placing in this pool: look again soon, it may have read before our work was there. */
const BUSY_RETRY_MS = 20;
/** A pool whose turn failed is tried again after this. */
const FAILED_RETRY_MS = 1000;
/** Waiting work turns to `blocked` a second after it became ready. */
const BLOCK_CHECK_MS = 1000;

interface PoolTurn {
  dispatches: WrittenDispatch[];
  failures: Wait[];
  /** Runs whose work was found waiting for the first time, or for another reason. */
  blockedRunIds: string[];
  more: boolean;
  busy: boolean;
  waiting: boolean;
  /** Milliseconds until a rate allows the next start; null when none is in the way. */
  nextStartMs: number | null;
}

const nothing: PoolTurn = { dispatches: [], failures: [], blockedRunIds: [], more: false, busy: false, waiting: false, nextStartMs: null };

const poolsWithWork = `
select id from pools p where exists (select 1 from task_runs t where t.pool_id = p.id and t.state in ('ready', 'blocked'))
  or exists (select 1 from attempts a join nodes n on n.id = a.node_id where a.prefetched and a.next_send_at is not null and n.pool_id = p.id)
order by id`;

/**
 * Ready and blocked task runs get a node, a fence and a reservation, or a stored reason why not; short ones may be sent ahead to a node without a reservation. One
 * pool at a time, one turn per transaction.
 */
@Injectable()
export class PlacePass {
  private likelyPoolId: string | null = null;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
    @Inject(PlacementEngine) private readonly engine: PlacementEngine,
    @Inject(DispatchRelay) private readonly relay: DispatchRelay,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<PassResult> {
    // Nearly always the pool that had work last has it again: its turn need not wait for the list.
    const likely = this.likelyPoolId;
    const listed = sqlOutsideTransaction(this.source).query<{ id: string }>(poolsWithWork);
    const [pools, first] = await roundTrip([listed, likely === null ? Promise.resolve(null) : this.placeIn(likely)]);
    const turns = likely === null ? [] : [first];
    for (const { id } of pools) if (id !== likely) turns.push(await this.placeIn(id));
    this.likelyPoolId = pools[0]?.id ?? null;
    let again = false;
    let wakeInMs: number | undefined;
    for (const turn of turns) {
      again ||= turn !== null && (turn.more || turn.failures.length > 0);
      if (turn?.busy) wakeInMs = BUSY_RETRY_MS;
      else if (turn === null) wakeInMs ??= FAILED_RETRY_MS;
      else if (turn.waiting) wakeInMs = Math.min(wakeInMs ?? BLOCK_CHECK_MS, turn.nextStartMs ?? BLOCK_CHECK_MS);
    }
    return { again, wakeInMs };
  }

  /** One turn and what follows from it; null when it failed, which must not keep the other pools from theirs. */
  private async placeIn(poolId: string): Promise<PoolTurn | null> {
    try {
      const pullAfterSeconds = this.relay.pullAfterSeconds;
      const turn = await inTransaction(this.source, (sql) => this.turn(sql, poolId, pullAfterSeconds));
      void this.relay.deliver(turn.dispatches, pullAfterSeconds);
      this.announce(turn);
      for (const failure of turn.failures) await this.fail(poolId, failure);
      return turn;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.logger.error({ err: error, poolId }, 'nothing could be placed in a pool; it will be tried again');
      return null;
    }
  }

  private async turn(sql: Sql, poolId: string, pullAfterSeconds: number): Promise<PoolTurn> {
    // One round trip; the lock is tried before the others read, since they are carried out in this order.
    // The backlog comes before the nodes: what is claimed in between is then counted twice in this turn, and not left out.
    const [[lock], backlog, pool, shapes] = await roundTrip([
      sql.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1, $2) as held', placementLockOf(poolId)),
      readBacklog(sql, poolId),
      readPool(sql, poolId),
      readShapes(sql, poolId),
    ]);
    if (!lock!.held) return { ...nothing, busy: true };
    const taken = await readLimits(sql, poolId, shapes);
    const placeable = await readPlaceable(sql, pool, shapes, taken, MAX_DECISIONS);
    const first = placeable[0] ?? backlog[0];
    if (first === undefined) return { ...nothing, busy: taken.busy.size > 0 };
    const turn = await this.decide(sql, shapes, taken.takes, {
      pool,
      placeable,
      backlog,
      input: {
        policy: pool.policy,
        seed: seedOf(poolId, pool.nowMs, first.request.taskRunId),
        nowMs: pool.nowMs,
        nodes: pool.nodes,
        selectorState: pool.selectorState,
        requests: placeable.map((each) => each.request),
        ...(backlog.length > 0 ? { prefetched: backlog.map(({ nodeId, request }) => ({ nodeId, request })) } : {}),
        ...(taken.limits.length > 0 ? { limits: taken.limits } : {}),
        ageingSeconds,
        maxDecisions: MAX_DECISIONS,
      },
    });
    const { placements, moves, prefetches } = turn.result;
    const times = { resendSeconds: this.config.relayResendSeconds, pullAfterSeconds };
    const isEmpty = placements.length + moves.length + prefetches.length === 0;
    const dispatches = isEmpty ? [] : await writePlacements(sql, turn, times);
    const { failures, waits } = splitWaits(turn.result.waits, turn.placeable);
    const blocked = waits.length > 0 ? await writeWaits(sql, poolId, waits) : [];
    const blockedRunIds = blocked.map((row) => row.run_id);
    return {
      dispatches,
      failures,
      blockedRunIds,
      more: placements.length >= MAX_DECISIONS || turn.result.endedEarly === true,
      busy: taken.busy.size > 0,
      waiting: waits.length > 0,
      nextStartMs: nextStart(taken, pool.nowMs),
    };
  }

  /** Decides without a look at what may be prefetched, and once more with it when that could matter: usually nothing short waits for room. */
  private async decide(
    sql: Sql,
    shapes: readonly Shape[],
    takes: ReadonlyMap<string, LimitTake[]>,
    turn: Omit<DecidedTurn, 'result'>,
  ): Promise<DecidedTurn & { result: PlacementTurnResult }> {
    const beganMs = performance.now();
    const result = await this.engine.decide(turn.input, TURN_MS);
    const spentMs = performance.now() - beganMs;
    if (result.endedEarly) return asReplayed({ ...turn, result });
    // The second time repeats the first.
    const open = spentMs > TURN_MS / 2 ? [] : nodesToPrefetchTo(turn.input, result);
    if (open.length === 0) return { ...turn, result };
    const complete = { ...turn, ...(await readPrefetchFacts(sql, { ...turn, shapes, takes, open })) };
    return asReplayed({ ...complete, result: await this.engine.decide(complete.input, TURN_MS - spentMs) });
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
        { code: failure.code, text: failure.reason, values: failure.values },
      );
    });
    this.settlement.announce(settled);
  }

  private announce({ dispatches, blockedRunIds }: PoolTurn): void {
    const runs = new Set([...dispatches.map((dispatch) => dispatch.runId), ...blockedRunIds]);
    this.wakeBus.changed([...runs].map((id) => ({ entity: 'run', id })));
  }
}

/** A turn that its time ended is stored as one that was to make just the decisions it made. */
function asReplayed<Turn extends DecidedTurn & { result: PlacementTurnResult }>(turn: Turn): Turn {
  const { placements, moves, prefetches, endedEarly } = turn.result;
  if (!endedEarly) return turn;
  return { ...turn, input: { ...turn.input, maxDecisions: placements.length + moves.length + prefetches.length } };
}

/** Impossible requests fail; of those that wait, one reason per shape. */
function splitWaits(waits: readonly Wait[], placeable: readonly PlaceableTaskRun[]) {
  const shapeOf = new Map(placeable.map((each) => [each.request.taskRunId, each.shapeHash]));
  const failures = new Map<string, Wait>();
  const waiting = new Map<string, Pick<Wait, 'code' | 'reason' | 'values'> & { shapeHash: string }>();
  for (const wait of waits) {
    const shapeHash = shapeOf.get(wait.taskRunId)!;
    const impossible = wait.code === 'infeasible' || wait.code === 'invalid-labels';
    if (impossible && !failures.has(shapeHash)) failures.set(shapeHash, wait);
    const { code, reason, values } = wait;
    if (!impossible && !waiting.has(shapeHash)) waiting.set(shapeHash, { shapeHash, code, reason, values });
  }
  return { failures: [...failures.values()], waits: [...waiting.values()] };
}

function nextStart({ limits }: TakenLimits, nowMs: number): number | null {
  const next = limits.flatMap(({ rate }) => (rate?.nextAtMs ? [Math.max(1, rate.nextAtMs - nowMs)] : []));
  return next.length === 0 ? null : Math.min(...next);
}

/** The two numbers of the advisory lock under which a pool is placed. */
export function placementLockOf(poolId: string): [number, number] {
  return [LOCK_CLASS, createHash('sha256').update(poolId).digest().readInt32BE(0)];
}

/** Differs from turn to turn and is stored with the turn. */
function seedOf(poolId: string, nowMs: number, firstTaskRunId: string): string {
  return createHash('sha256').update(`${poolId} ${nowMs} ${firstTaskRunId}`).digest('hex').slice(0, 16);
}
