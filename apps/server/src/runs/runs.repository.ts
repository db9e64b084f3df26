import type { RunTasks, RunView, TaskCounts, TaskRunItem } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { readAdmissionReason } from '../concurrency/admission-reason.js';
import { answerRow } from '../rest/answer-row.js';
import { readAncestors } from './read-ancestors.js';
import { readCanceller, readPauser } from './run-canceller.js';
import { runColumns, runFrom } from './run-rows.js';
import { taskRunColumns, taskRunFrom, taskRunItemOf } from './task-run-columns.js';

/** Throws not-found. */
export async function getRun(sql: Sql, id: string): Promise<RunView> {
  const [row] = await sql.query<object>(
    `select ${runColumns}, r.parameters, r.reason, r.finals_cancelled as "finalsCancelled" from ${runFrom} where r.id = $1`,
    [id],
  );
  if (!row) throw new AppError('not-found', phrase('no-such-run'));
  const counts = await sql.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from task_runs where run_id = $1 and item = -1 group by state',
    [id],
  );
  const run = answerRow<RunView>(row);
  const reason = run.reason ?? (run.state === 'queued' || run.state === 'cancelled' ? await readAdmissionReason(sql, id) : null);
  return {
    ...run,
    reason,
    counts: Object.fromEntries(counts.map(({ state, count }) => [state, count])) as TaskCounts,
    cancelledBy: run.state === 'cancelling' || run.state === 'cancelled' ? await readCanceller(sql, id) : null,
    within: run.parent === null ? [] : await readAncestors(sql, id),
    pausedBy: run.state === 'paused' ? await readPauser(sql, id) : null,
  };
}

/** Every task run of a run in the order of the definition, each with its newest attempt. */
export async function getRunTasks(sql: Sql, runId: string): Promise<RunTasks> {
  const [run] = await sql.query<{ workflow_id: string; workflow_version: number }>(
    'select workflow_id, workflow_version from runs where id = $1',
    [runId],
  );
  if (!run) throw new AppError('not-found', phrase('no-such-run'));
  const rows = await sql.query<object>(
    `select ${taskRunColumns} from ${taskRunFrom} where t.run_id = $1 and t.item = -1 order by t.position`,
    [runId],
  );
  return {
    runId,
    workflowId: run.workflow_id,
    workflowVersion: run.workflow_version,
    items: rows.map((row): TaskRunItem => taskRunItemOf(row)),
  };
}
