import { maxNesting, type ParentTask } from '@medley/contracts';
import type { Sql } from '@medley/database';

const statement = `
with recursive up (run_id, task_run_id, depth) as (
  select parent_run_id, parent_task_run_id, 1 from runs where id = $1
  union all
  select r.parent_run_id, r.parent_task_run_id, u.depth + 1 from up u join runs r on r.id = u.run_id where u.depth <= ${maxNesting}
)
select u.run_id as "runId", w.name as workflow, t.id as "taskRunId", t.task_key as task
from up u join runs r on r.id = u.run_id join workflows w on w.id = r.workflow_id join task_runs t on t.id = u.task_run_id order by u.depth desc`;

/** The tasks that a run is a part of, the outermost first. */
export function readAncestors(sql: Sql, runId: string): Promise<ParentTask[]> {
  return sql.query<ParentTask>(statement, [runId]);
}
