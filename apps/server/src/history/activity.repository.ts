import type { Activity, RangeQuery } from '@medley/contracts';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';

const DAY_MS = 86_400_000;

export interface StepRow {
  step: number;
  succeeded: number;
  failed: number;
  wait: (number | null)[] | null;
  run: (number | null)[] | null;
}

/**
 * What the newest `most` task runs of the range came to, by number of the step in which they ended. Task runs are found by their id, which grows with their run's creation:
 * a task whose run was created longer before the range than the range is long (at most a day) is not counted. Waiting is measured on tasks that were not tried
 * again, since the time at which they became ready is kept for the last try only. Tasks whose result was kept from another run did nothing and do not count.
 */
export async function readActivity(
  sql: Sql,
  { from, to }: RangeQuery,
  projects: VisibleProjects,
  { stepSeconds, most }: { stepSeconds: number; most: number },
): Promise<{ rows: StepRow[]; since: Activity['since'] }> {
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  const lower = uuidv7LowerBound(fromMs - Math.min(DAY_MS, toMs - fromMs));
  const values = [lower, uuidv7LowerBound(toMs), projects, new Date(fromMs), new Date(toMs)];
  const read = `select t.state, t.ready_at, t.started_at, t.finished_at from task_runs t
    where t.id >= $1 and t.id < $2 and t.finished_at >= $4 and t.finished_at < $5 and t.kept_from is null
      and ($3::uuid[] is null or exists (select 1 from runs r where r.id = t.run_id and r.project_id = any($3)))
    order by t.id desc limit $6`;
  const rows = await sql.query<StepRow & { read: number; oldest: Date } & Record<string, unknown>>(
    `with ended as (${read}), parts as (
       select floor(extract(epoch from finished_at) / $7)::bigint::float8 as step, state, finished_at,
         case when started_at >= ready_at then extract(epoch from started_at - ready_at)::float8 end as wait,
         case when started_at is not null then extract(epoch from finished_at - started_at)::float8 end as ran from ended)
     select step, (count(*) filter (where state = 'succeeded'))::int as succeeded, (count(*) filter (where state = 'failed'))::int as failed,
       percentile_cont(array[0.5, 0.95]) within group (order by wait) as wait, percentile_cont(array[0.5, 0.95]) within group (order by ran) as run,
       sum(count(*)) over ()::int as read, min(min(finished_at)) over () as oldest
     from parts group by step`,
    [...values, most, stepSeconds],
  );
  const [first] = rows;
  return { rows, since: first && first.read >= most ? first.oldest.toISOString() : null };
}
