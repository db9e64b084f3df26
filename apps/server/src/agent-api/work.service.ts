import type { Dispatch, NodeCapacity, StopOrder, StopReason, WorkAnswer } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { filter, firstValueFrom, merge, type Observable, Subject, timer } from 'rxjs';
import { DataSource } from 'typeorm';
import { WakeBus } from '../wake/wake-bus.js';

const MAX_DISPATCHES = 200;
/** Prefetched attempts stay unclaimed on purpose: they are not repeated with every poll. */
const REPEAT_PREFETCHED_SECONDS = 2;

interface OutstandingRow {
  id: string;
  task_run_id: string;
  fence: number;
  send_no: number;
  awaits: NodeCapacity | null;
  stop_reason: StopReason | null;
}

const outstandingQuery = `
with dispatches as (
  select id, task_run_id, fence, send_no, prefetched from attempts
  where node_id = $1 and finished_at is null and state = 'dispatched' and pull_from <= clock_timestamp() order by id limit $2
), waiting as (
  select id from attempts where id in (select id from dispatches where prefetched) and pull_from <= clock_timestamp() order by id for update skip locked
), told as (
  update attempts a set pull_from = clock_timestamp() + interval '${REPEAT_PREFETCHED_SECONDS} seconds' from waiting w where a.id = w.id
)
select d.id, d.task_run_id, d.fence, d.send_no, s.request->'resources' as awaits, null as stop_reason
from dispatches d left join task_runs t on d.prefetched and t.id = d.task_run_id left join request_shapes s on s.hash = t.shape_hash
union all
select id, task_run_id, fence, send_no, null, coalesce(stop_reason, 'cancelled') from attempts
where node_id = $1 and finished_at is null and state = 'stopping'`;

/** The long poll of one agent: what the queue did not or could not carry, and stop orders at once. */
@Injectable()
export class WorkService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /**
   * Answers as soon as there is something, at the latest after the wait, and at once when `gone` says that nobody listens any more. Stop orders that were
   * given before the call are left to its end: the agent has them already, or gets them with its next heartbeat.
   */
  async wait(nodeId: string, waitSeconds: number, gone: Observable<unknown>): Promise<WorkAnswer> {
    const woken = this.wakeBus.heard.pipe(filter((wake) => wake.topic === 'work' && wake.nodeId === nodeId));
    const answered = new Subject<void>(); // ends the listening also when the answer needs no waiting
    const signal = firstValueFrom(merge(woken, timer(waitSeconds * 1000), gone, answered), { defaultValue: null });
    try {
      const first = await this.outstanding(nodeId);
      if (waitSeconds === 0 || first.dispatches.length > 0) return first;
      await signal;
      return await this.outstanding(nodeId);
    } finally {
      answered.next();
    }
  }

  private async outstanding(nodeId: string): Promise<WorkAnswer> {
    const rows = await this.sql.query<OutstandingRow>(outstandingQuery, [nodeId, MAX_DISPATCHES]);
    const dispatches: Dispatch[] = [];
    const stops: StopOrder[] = [];
    for (const row of rows) {
      if (row.stop_reason === null)
        dispatches.push({
          taskRunId: row.task_run_id,
          attemptId: row.id,
          fence: row.fence,
          sendNo: row.send_no,
          ...(row.awaits ? { awaits: row.awaits } : {}),
        });
      else stops.push({ attemptId: row.id, fence: row.fence, reason: row.stop_reason });
    }
    return { dispatches, stops };
  }
}
