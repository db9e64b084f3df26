import type { RunState } from '@medley/core';
import type { Sql } from '@medley/database';
import type { StoredReason } from '../unplaced/unplaced.types.js';

/** The run that a task has started. */
export interface ChildRun {
  id: string;
  workflow: string;
  workflowId: string;
  workflowVersion: number;
  state: RunState;
  hasEnded: boolean;
  /** The first few tasks of it that failed, and how many did. */
  failed: string[];
  failedCount: number;
  /** The key for which it was skipped. */
  skippedFor: string | null;
}

const MAX_NAMED = 3;

const statement = `
select c.id, w.name as workflow, c.workflow_id as "workflowId", c.workflow_version as "workflowVersion", c.state, c.finished_at is not null as "hasEnded",
  coalesce((select array_agg(f.task_key order by f.position) from (
    select task_key, position from task_runs where run_id = c.id and item = -1 and state = 'failed' order by position limit ${MAX_NAMED}) f), '{}') as failed,
  (select count(*)::int from task_runs where run_id = c.id and item = -1 and state = 'failed') as "failedCount",
  (select key from run_admissions where run_id = c.id and skipped) as "skippedFor"
from runs c join workflows w on w.id = c.workflow_id where c.id = $1`;

/** Null when it was removed, as ended runs are after some time. */
export async function readChild(sql: Sql, runId: string): Promise<ChildRun | null> {
  const [row] = await sql.query<ChildRun>(statement, [runId]);
  return row ?? null;
}

/** Why a task failed whose run did. */
export function tellFailure({ id, workflow, failed, failedCount }: ChildRun): StoredReason {
  const more = failedCount > failed.length ? ` and ${failedCount - failed.length} more` : '';
  const which = failed.length === 0 ? '' : `: ${failed.join(', ')}${more}`;
  const values = { runId: id, workflow, failed, more: failedCount - failed.length };
  return { code: 'child-failed', text: `Its run ${id.slice(-8)} of ${workflow} failed${which}.`, values };
}
