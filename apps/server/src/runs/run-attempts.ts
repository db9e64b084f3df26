import type { RunAttempt, RunAttempts } from '@medley/contracts';
import type { Sql } from '@medley/database';
import { attemptColumns } from '../attempts/attempt-columns.js';
import { answerRow } from '../rest/answer-row.js';

/** Far more than a chart can show; beyond it the task's own page has its attempts. */
const MOST_ATTEMPTS = 20_000;

/** All attempts of a run in the order of the definition, those of one task by their fences. */
export async function getRunAttempts(sql: Sql, runId: string): Promise<RunAttempts> {
  const rows = await sql.query<object>(
    `select ${attemptColumns}, t.task_key as "taskKey" from task_runs t join attempts a on a.task_run_id = t.id join nodes n on n.id = a.node_id
     where t.run_id = $1 order by t.position, t.item, a.fence limit $2`,
    [runId, MOST_ATTEMPTS + 1],
  );
  const items = rows.slice(0, MOST_ATTEMPTS).map((row) => answerRow<RunAttempt>(row));
  return { runId, items, isMore: rows.length > MOST_ATTEMPTS };
}
