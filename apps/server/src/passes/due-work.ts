import { sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { someChildAsks } from '../sub-workflows/steer-children.js';
import { someHeldIsReleased } from './release-held.js';

/** The passes that need not run while nothing waits for them. */
const askedPasses = ['fire', 'admit', 'place', 'relay', 'retry', 'backfill', 'unplaced', 'watch', 'upstream'] as const;
export type AskedPass = (typeof askedPasses)[number];

/** The instant at which the next fire of any schedule is due, jitter included. */
export const nextDueFire = `select coalesce(delayed_until, next_fire_at) from schedules
  where enabled and removed_at is null and next_fire_at is not null and held_by_run_id is null order by coalesce(delayed_until, next_fire_at) limit 1`;

// Each answer is the first entry of an index, however many schedules or task runs there are: `exists` would let the planner read the whole table.
const question = `
select coalesce((${nextDueFire}) <= until.at, false) or ${someHeldIsReleased} as fire,
  coalesce((select retry_at from task_runs where state = 'retry-wait' order by retry_at limit 1) <= until.at, false) as retry,
  (select next_send_at from attempts where next_send_at is not null order by next_send_at limit 1) is not null as relay,
  exists (select 1 from backfills where finished_at is null) as backfill,
  exists (select 1 from task_runs where pool_id is null and state = 'ready')
    or coalesce((select next_look_at from task_runs where next_look_at is not null order by next_look_at limit 1) <= until.at, false) or ${someChildAsks} as unplaced,
  coalesce((select due_at from watches order by due_at limit 1) <= until.at, false) as watch,
  (select 1 from upstream_arrivals where is_new order by workflow_id limit 1) is not null
    or (select 1 from upstream_counts where needs_look order by schedule_id limit 1) is not null as upstream,
  exists (select 1 from run_admissions where ended_at is null and admitted_at is null) as admit,
  exists (
    select 1 from pools p cross join lateral (
      select 1 from task_runs t where t.pool_id = p.id and t.state in ('ready', 'blocked') order by t.shape_hash limit 1
    ) waiting
  ) as place
from (select clock_timestamp() + make_interval(secs => $1) as at) until`;

/** One cheap question in place of an execution of each pass: nearly always the answer is that there is nothing to do. */
@Injectable()
export class DueWork {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  /** The passes that have something to do now or within so many seconds. */
  async within(seconds: number): Promise<AskedPass[]> {
    const [due] = await sqlOutsideTransaction(this.source).query<Record<AskedPass, boolean>>(question, [seconds]);
    return askedPasses.filter((name) => due![name]);
  }
}
