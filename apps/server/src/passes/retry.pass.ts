import { inTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WakeBus } from '../wake/wake-bus.js';
import type { PassResult } from './pass-runner.js';

const BATCH = 1000;
/** Due rows that were not taken are held by another server. */
const SOONEST_MS = 5;

/** Task runs whose retry delay is over become ready; the pass asks to be woken at the next one. */
@Injectable()
export class RetryPass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  async run(): Promise<PassResult> {
    const { released, next } = await inTransaction(this.source, async (sql) => {
      const rows = await sql.query<{ run_id: string; unplaced: boolean }>(
        `with due as (
           select id from task_runs where state = 'retry-wait' and retry_at <= (select clock_timestamp()) order by retry_at limit $1 for update skip locked
         )
         update task_runs t set state = 'ready', ready_at = clock_timestamp(), retry_at = null, reason = null from due d where t.id = d.id returning t.run_id, t.pool_id is null as unplaced`,
        [BATCH],
      );
      const [soonest] = await sql.query<{ ms: number | null }>(
        `select (extract(epoch from min(retry_at) - clock_timestamp()) * 1000)::float8 as ms from task_runs where state = 'retry-wait'`,
      );
      return { released: rows, next: soonest?.ms ?? null };
    });
    if (released.length > 0) {
      this.wakeBus.place();
      if (released.some(({ unplaced }) => unplaced)) this.wakeBus.unplaced();
      this.wakeBus.changed([...new Set(released.map((row) => row.run_id))].map((id) => ({ entity: 'run', id })));
    }
    return { again: released.length >= BATCH, ...(next === null ? {} : { wakeInMs: Math.max(SOONEST_MS, next) }) };
  }
}
