import type { Page, RunListItem, RunQuery, RunTasks, RunView, TaskCounts, TaskRunItem } from '@medley/contracts';
import { AppError } from '@medley/core';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeIdCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { runColumns, runFrom, runJoins } from './run-rows.js';
import { taskRunColumns, taskRunFrom, taskRunItemOf } from './task-run-columns.js';

/**
 * Newest first: ids grow with time, so that the id is the key of the order and `since` is a bound of ids. Of some projects only, each gives its newest from its own
 * index and the newest of these are taken: what a caller may not see costs nothing.
 */
export async function listRuns(sql: Sql, query: RunQuery, projects: VisibleProjects): Promise<Page<RunListItem>> {
  const kind = listKind('runs', query);
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  where((parameter) => `r.id < ${parameter}`, decodeIdCursor(kind, query.cursor));
  where((parameter) => `r.id >= ${parameter}`, query.since && uuidv7LowerBound(Date.parse(query.since)));
  where((parameter) => `r.workflow_id = ${parameter}`, query.workflowId);
  where((parameter) => `r.schedule_id = ${parameter}`, query.scheduleId);
  where((parameter) => `r.trigger = ${parameter}`, query.trigger);
  where((parameter) => `r.state = any(${parameter})`, query.state);
  values.push(query.limit + 1);
  const rows = await sql.query<{ id: string }>(
    newestRuns(conditions, values.length, projects === null ? null : values.push(projects)),
    values,
  );
  return pageOfRows(
    rows,
    query.limit,
    kind,
    (row) => [row.id],
    (row) => answerRow<RunListItem>(row),
  );
}

/** The statement for the newest runs under `conditions`; `limit` and `projects` are numbers of parameters. */
function newestRuns(conditions: readonly string[], limit: number, projects: number | null): string {
  const found = (more: readonly string[]) => {
    const all = [...conditions, ...more];
    return `select r.* from runs r ${all.length > 0 ? `where ${all.join(' and ')}` : ''} order by r.id desc limit $${limit}`;
  };
  const newest =
    projects === null
      ? found([])
      : `select r.* from unnest($${projects}::uuid[]) as visible(id) cross join lateral (${found(['r.project_id = visible.id'])}) r order by r.id desc limit $${limit}`;
  return `select ${runColumns} from (${newest}) r ${runJoins} order by r.id desc`;
}

/** Throws not-found. */
export async function getRun(sql: Sql, id: string): Promise<RunView> {
  const [row] = await sql.query<object>(`select ${runColumns}, r.parameters, r.reason from ${runFrom} where r.id = $1`, [id]);
  if (!row) throw new AppError('not-found', 'There is no such run.');
  const counts = await sql.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from task_runs where run_id = $1 group by state',
    [id],
  );
  return { ...answerRow<RunView>(row), counts: Object.fromEntries(counts.map(({ state, count }) => [state, count])) as TaskCounts };
}

/** Every task run of a run in the order of the definition, each with its newest attempt. */
export async function getRunTasks(sql: Sql, runId: string): Promise<RunTasks> {
  const [run] = await sql.query<{ workflow_id: string; workflow_version: number }>(
    'select workflow_id, workflow_version from runs where id = $1',
    [runId],
  );
  if (!run) throw new AppError('not-found', 'There is no such run.');
  const rows = await sql.query<object>(`select ${taskRunColumns} from ${taskRunFrom} where t.run_id = $1 order by t.position`, [runId]);
  return {
    runId,
    workflowId: run.workflow_id,
    workflowVersion: run.workflow_version,
    items: rows.map((row): TaskRunItem => taskRunItemOf(row)),
  };
}
