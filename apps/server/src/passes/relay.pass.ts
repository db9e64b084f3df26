import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import type { NodeDispatch } from '../dispatch-queue/node-queues.js';
import { releaseReservations } from '../runs/release-reservations.js';
import { WakeBus } from '../wake/wake-bus.js';
import { DispatchRelay } from './dispatch-relay.js';
import type { PassResult } from './pass-runner.js';

const BATCH = 500;

interface UnclaimedRow {
  id: string;
  task_run_id: string;
  run_id: string;
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
    const pullAfterSeconds = this.relay.pullAfterSeconds;
    const { due, withdrawn } = await inTransaction(this.source, async (sql) => {
      const rows = await claimUnsent(sql, this.config.relayMaxSends, this.config.relayResendSeconds);
      const exhausted = rows.filter((row) => row.send_no > this.config.relayMaxSends);
      await withdraw(sql, exhausted);
      return { due: rows.filter((row) => row.send_no <= this.config.relayMaxSends), withdrawn: exhausted };
    });
    if (withdrawn.length > 0) this.wakeBus.place();
    await this.relay.deliver(due.map(dispatchOf), pullAfterSeconds);
    await this.wakeOverdueNodes();
    return { again: due.length + withdrawn.length >= BATCH };
  }

  private async wakeOverdueNodes(): Promise<void> {
    const rows = await sqlOutsideTransaction(this.source).query<{ node_id: string }>(
      `select distinct node_id from attempts where next_send_at is not null and pull_from <= clock_timestamp()`,
    );
    for (const row of rows) this.wakeBus.work(row.node_id);
  }
}

/** Takes the next send of each due attempt; `send_no` is the number it will be sent under, one above the maximum when its tries are used up. */
async function claimUnsent(sql: Sql, maxSends: number, resendSeconds: number): Promise<UnclaimedRow[]> {
  return sql.query<UnclaimedRow>(
    `with due as (
       select id from attempts where next_send_at <= clock_timestamp() order by next_send_at limit $1 for update skip locked
     )
     update attempts a set send_no = a.send_no + 1, next_send_at = clock_timestamp() + make_interval(secs => $3), pull_from = clock_timestamp()
     from due d where a.id = d.id and a.state = 'dispatched' and a.send_no <= $2
     returning a.id, a.task_run_id, a.run_id, a.node_id, a.fence, a.send_no`,
    [BATCH, maxSends, resendSeconds],
  );
}

/** The attempt ends unclaimed without costing a try; a claim that comes later is refused, because the attempt is no longer `dispatched`. */
async function withdraw(sql: Sql, rows: readonly UnclaimedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const attemptIds = rows.map((row) => row.id);
  await sql.query(
    `with locked as (
       select t.id from task_runs t join attempts a on a.task_run_id = t.id and a.fence = t.fence
       where a.id = any($1) and t.state = 'dispatched' order by t.id for update of t
     )
     update task_runs t set state = 'ready', ready_at = clock_timestamp(),
       avoid_node_ids = (select array_agg(distinct n) from unnest(t.avoid_node_ids || a.node_id) n)
     from locked l join attempts a on a.task_run_id = l.id and a.id = any($1) where t.id = l.id`,
    [attemptIds],
  );
  await sql.query(
    `update attempts set state = 'lost', finished_at = clock_timestamp(), next_send_at = null, pull_from = null, detail = 'never claimed by its node; placed anew'
     where id = any($1)`,
    [attemptIds],
  );
  await releaseReservations(sql, attemptIds);
}

function dispatchOf(row: UnclaimedRow): NodeDispatch {
  return { nodeId: row.node_id, taskRunId: row.task_run_id, attemptId: row.id, fence: row.fence, sendNo: row.send_no };
}
