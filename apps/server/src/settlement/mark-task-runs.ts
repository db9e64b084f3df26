import { nextTaskRunState, phrase, type TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import { lockLiveAttempts, stopRunning, withdrawUnclaimed } from '../runs/live-attempts.js';
import { isStopped } from './run-stops.js';
import type { EndedTask, LockedRun, MarkedTaskRun, Marking } from './settlement.types.js';
import type { WorkflowSpecs } from './workflow-specs.js';

interface TaskRow {
  id: string;
  run_id: string;
  task_key: string;
  state: TaskRunState;
  parent_id: string | null;
  child_run_id: string | null;
}

interface Marked extends Pick<Marking, 'stopping' | 'awaiting'> {
  ended: EndedTask[];
  /** Gives back what unclaimed attempts held; locks nodes and comes last. */
  release: () => Promise<unknown>;
}

/**
 * Marks task runs whose runs are locked: see `Settlement.mark`. What runs without a pool has parts of its own, which have to be marked instead; of a run that waits for its key nothing is marked, since what stands behind it would start beside the key's holder.
 * Of a run that is being cancelled only final tasks are, since all others are being ended already; where it was cancelled with its final tasks, none.
 */
export async function markTaskRuns(
  sql: Sql,
  specs: WorkflowSpecs,
  runs: ReadonlyMap<string, LockedRun>,
  marks: readonly MarkedTaskRun[],
): Promise<Marked> {
  const byId = new Map(marks.map((mark) => [mark.taskRunId, mark]));
  const found = await sql.query<TaskRow>(
    `select id, run_id, task_key, state, parent_id, child_run_id from task_runs
     where id = any($1) and finished_at is null and not (state = 'running' and pool_id is null and child_run_id is null)
       and not exists (select 1 from run_admissions a where a.run_id = task_runs.run_id and a.ended_at is null and a.admitted_at is null)
     order by id for update`,
    [[...byId.keys()]],
  );
  const open: TaskRow[] = [];
  for (const row of found) {
    if (nextTaskRunState(row.state, `mark-${byId.get(row.id)!.state}`) === null) continue;
    const run = runs.get(row.run_id)!;
    const { task } = await specs.load(sql, run.workflowId, run.workflowVersion);
    if (!isStopped(run, task(row.task_key))) open.push(row);
  }
  const live = await lockLiveAttempts(
    sql,
    'task-runs',
    open.map(({ id }) => id),
  );
  await stopRunning(sql, live);
  const { release } = await withdrawUnclaimed(sql, live, phrase('withdrawn-marked'));
  const running = open.filter(({ state }) => state === 'running');
  const idle = open.filter(({ state }) => state !== 'running');
  await writeMarks(sql, running, byId);
  await writeEnds(sql, idle, byId);
  const tasks = new Map(running.map((row) => [row.id, row]));
  return {
    ended: idle.map((row) => ({
      run: runs.get(row.run_id)!,
      taskRunId: row.id,
      key: row.task_key,
      state: byId.get(row.id)!.state,
      parentId: row.parent_id,
      hadBegun: row.state !== 'waiting',
    })),
    stopping: live.flatMap(({ id, task_run_id: taskRunId, node_id: nodeId }) => {
      const row = tasks.get(taskRunId);
      return row ? [{ taskRunId, runId: row.run_id, projectId: runs.get(row.run_id)!.projectId, attemptId: id, nodeId }] : [];
    }),
    awaiting: running
      .filter(({ child_run_id }) => child_run_id !== null)
      .map(({ id: taskRunId, run_id: runId }) => ({ taskRunId, runId, projectId: runs.get(runId)!.projectId })),
    release,
  };
}

/** The rows are locked, and their states are what they were found in. */
async function writeMarks(sql: Sql, rows: readonly TaskRow[], marks: ReadonlyMap<string, MarkedTaskRun>): Promise<void> {
  if (rows.length === 0) return;
  await sql.query('update task_runs t set mark = m.mark from unnest($1::uuid[], $2::jsonb[]) as m(id, mark) where t.id = m.id', [
    rows.map(({ id }) => id),
    rows.map(({ id }) => JSON.stringify({ state: marks.get(id)!.state, reason: marks.get(id)!.reason })),
  ]);
}

async function writeEnds(sql: Sql, rows: readonly TaskRow[], marks: ReadonlyMap<string, MarkedTaskRun>): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `update task_runs t set state = m.state, reason = m.reason, finished_at = clock_timestamp(), retry_at = null, next_look_at = null
     from unnest($1::uuid[], $2::text[], $3::jsonb[]) as m(id, state, reason) where t.id = m.id`,
    [rows.map(({ id }) => id), rows.map(({ id }) => marks.get(id)!.state), rows.map(({ id }) => JSON.stringify(marks.get(id)!.reason))],
  );
}
