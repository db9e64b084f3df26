import type { RunState } from '@medley/core';
import type { Sql } from '@medley/database';
import type { LockedRun } from './settlement.types.js';

interface RunRow {
  id: string;
  project_id: string;
  workflow_id: string;
  workflow_version: number;
  state: RunState;
  open_tasks: number;
  final_tasks: number;
  finals_cancelled: boolean;
}

const columns = 'r.id, r.project_id, r.workflow_id, r.workflow_version, r.state, r.open_tasks, r.final_tasks, r.finals_cancelled';
const byAttempts = `select ${columns} from runs r where r.id in (select run_id from attempts where id = any($1)) order by r.id for no key update`;
const byTaskRuns = `select ${columns} from runs r where r.id in (select run_id from task_runs where id = any($1)) order by r.id for no key update`;
const byIds = `select ${columns} from runs r where r.id = any($1) order by r.id for no key update`;

/**
 * Locks runs in id order: the first lock of every transaction that ends tasks, so that parents ending at once see each other. Not against foreign keys: a transaction that
 * writes a task run twice asks for its run's row at the end, after the nodes, and must never wait for it (docs/architecture.md).
 */
export async function lockRuns(sql: Sql, by: 'attempts' | 'task-runs' | 'runs', ids: readonly string[]): Promise<Map<string, LockedRun>> {
  const statement = { attempts: byAttempts, 'task-runs': byTaskRuns, runs: byIds }[by];
  const rows = await sql.query<RunRow>(statement, [ids]);
  return new Map(rows.map((row) => [row.id, lockedRunOf(row)]));
}

function lockedRunOf(row: RunRow): LockedRun {
  return {
    id: row.id,
    projectId: row.project_id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    state: row.state,
    openTasks: row.open_tasks,
    finalTasks: row.final_tasks,
    finalsCancelled: row.finals_cancelled,
  };
}
