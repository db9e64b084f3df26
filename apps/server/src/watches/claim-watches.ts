import type { Sql } from '@medley/database';
import type { FileQuestion } from './file-watch.js';
import { type HttpQuestion, LOOK_SECONDS } from './look-at.js';

/** What a task waits for, claimed for one look. */
export interface Watch {
  id: string;
  taskRunId: string;
  runId: string;
  question: HttpQuestion | FileQuestion;
  everySeconds: number;
  /** This one included. */
  looks: number;
}

// The next look is written down before this one begins, later than this one can last: meanwhile no other server looks, and one that dies delays nothing but this look.
// What does not wait any more, because it was cancelled, marked or removed, or its deadline came, is forgotten here.
const claimStatement = `
with due as (
  select w.task_run_id, t.id is not null as waits from watches w
  left join task_runs t on t.id = w.task_run_id and t.state = 'blocked'
  where w.due_at <= (select clock_timestamp()) order by w.due_at limit $1 for update of w skip locked
), forgotten as (delete from watches w using due d where w.task_run_id = d.task_run_id and not d.waits)
update watches w set due_at = clock_timestamp() + make_interval(secs => w.every_seconds + $2), looks = w.looks + 1
from due d where w.task_run_id = d.task_run_id and d.waits
returning w.id, w.task_run_id as "taskRunId", w.run_id as "runId", w.question, w.every_seconds as "everySeconds", w.looks`;

/** Takes what is due, so that no other server looks at it meanwhile; at most so many. */
export function claimDueWatches(sql: Sql, most: number): Promise<Watch[]> {
  return sql.query<Watch & object>(claimStatement, [most, 2 * LOOK_SECONDS]);
}

/** Milliseconds until the next look; null while nothing waits. */
export async function nextLookMs(sql: Sql): Promise<number | null> {
  const [next] = await sql.query<{ ms: number | null }>(
    'select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as ms from watches',
  );
  return next?.ms ?? null;
}
