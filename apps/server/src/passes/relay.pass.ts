import { inEnglish, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import type { NodeDispatch } from '../dispatch-queue/node-queues.js';
import { releaseReservations } from '../runs/release-reservations.js';
import { attemptsAccepting, taskRunsAccepting } from '../runs/state-lists.js';
import { WakeBus } from '../wake/wake-bus.js';
import { DispatchRelay } from './dispatch-relay.js';
import type { PassResult } from './pass-runner.js';

const BATCH = 500;
const noRoom = phrase('no-room-placed-anew');
const unclaimed = phrase('unclaimed-placed-anew');
/** While something is unclaimed the pass looks again this soon. */
const WATCH_MS = 1000;

interface UnclaimedRow {
  id: string;
  task_run_id: string;
  node_id: string;
  fence: number;
  send_no: number;
}

/**
 * Finds dispatches nobody has claimed: sends them again under a new job id, and after the last try takes them back, so that the task run is placed anew with a
 * higher fence. Also wakes the long polls of nodes whose messages the queue should have carried by now.
 */
@Injectable()
export class RelayPass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
    @Inject(DispatchRelay) private readonly relay: DispatchRelay,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  async run(): Promise<PassResult> {
    const { relayMaxSends, relayResendSeconds } = this.config;
    const pullAfterSeconds = this.relay.pullAfterSeconds;
    const due = await claimDueSends(sqlOutsideTransaction(this.source), relayMaxSends, relayResendSeconds);
    const withdrawnRunIds = await inTransaction(this.source, (sql) => withdrawUnclaimed(sql, relayMaxSends));
    if (withdrawnRunIds.length > 0) this.wakeBus.place();
    this.wakeBus.changed([...new Set(withdrawnRunIds)].map((id) => ({ entity: 'run', id })));
    await this.relay.deliver(due.map(dispatchOf), pullAfterSeconds);
    const outstanding = await this.wakeOverdueNodes();
    return { again: due.length >= BATCH || withdrawnRunIds.length >= BATCH, ...(outstanding ? { wakeInMs: WATCH_MS } : {}) };
  }

  /** Returns whether any dispatch is unclaimed. */
  private async wakeOverdueNodes(): Promise<boolean> {
    const rows = await sqlOutsideTransaction(this.source).query<{ node_id: string; overdue: boolean }>(
      `select node_id, bool_or(pull_from <= clock_timestamp()) as overdue from attempts where next_send_at is not null group by node_id`,
    );
    for (const row of rows) if (row.overdue) this.wakeBus.work(row.node_id);
    return rows.length > 0;
  }
}

/** Takes the next send of each due attempt that may still be sent; `send_no` is the number it will be sent under. */
async function claimDueSends(sql: Sql, maxSends: number, resendSeconds: number): Promise<UnclaimedRow[]> {
  return sql.query<UnclaimedRow>(
    `with due as (
       select id from attempts where next_send_at <= (select clock_timestamp()) and send_no < $2 and not prefetched order by next_send_at limit $1 for update skip locked
     )
     update attempts a set send_no = a.send_no + 1, next_send_at = clock_timestamp() + make_interval(secs => $3), pull_from = clock_timestamp()
     from due d where a.id = d.id and a.state in ${attemptsAccepting('claim')}
     returning a.id, a.task_run_id, a.node_id, a.fence, a.send_no`,
    [BATCH, maxSends, resendSeconds],
  );
}

/**
 * Takes back what was not claimed after its last send, and what was prefetched and found no room in time or waits on a node that takes no new work. Returns the
 * runs. The attempt ends without costing a try; a claim that comes later is refused, because the attempt is no longer `dispatched`. Task runs are locked first,
 * as a claim does; one that is being claimed right now is left to it.
 */
async function withdrawUnclaimed(sql: Sql, maxSends: number): Promise<string[]> {
  const candidates = await sql.query<{ id: string }>(
    `select a.id from attempts a join task_runs t on t.id = a.task_run_id
     where a.next_send_at is not null and a.state in ${attemptsAccepting('claim')} and (
       a.next_send_at <= clock_timestamp() and (a.prefetched or a.send_no >= $2)
       or a.prefetched and exists (select 1 from nodes n where n.id = a.node_id and (n.state <> 'online' or n.cordoned or n.draining))
     ) order by t.id limit $1 for update of t skip locked`,
    [BATCH, maxSends],
  );
  if (candidates.length === 0) return [];
  const withdrawn = await sql.query<{ id: string; run_id: string }>(
    `with locked as (select id from attempts where id = any($1) and state in ${attemptsAccepting('claim')} order by id for update)
     update attempts a set state = 'lost', finished_at = clock_timestamp(), next_send_at = null, pull_from = null,
       detail = case when a.prefetched then '${inEnglish(noRoom)}' else '${inEnglish(unclaimed)}' end,
       explanation = (case when a.prefetched then '${JSON.stringify(noRoom)}' else '${JSON.stringify(unclaimed)}' end)::jsonb
     from locked l where a.id = l.id returning a.id, a.run_id`,
    [candidates.map((row) => row.id)],
  );
  const attemptIds = withdrawn.map((row) => row.id);
  await sql.query(
    `update task_runs t set state = 'ready', ready_at = case when a.prefetched then t.ready_at else clock_timestamp() end,
       avoid_node_ids = case when a.prefetched then t.avoid_node_ids else (select array_agg(distinct n) from unnest(t.avoid_node_ids || a.node_id) n) end
     from attempts a where a.id = any($1) and t.id = a.task_run_id and t.fence = a.fence and t.state in ${taskRunsAccepting('withdraw')}`,
    [attemptIds],
  );
  await releaseReservations(sql, attemptIds);
  return withdrawn.map((row) => row.run_id);
}

function dispatchOf(row: UnclaimedRow): NodeDispatch {
  return { nodeId: row.node_id, taskRunId: row.task_run_id, attemptId: row.id, fence: row.fence, sendNo: row.send_no };
}
