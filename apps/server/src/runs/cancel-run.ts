import { AppError, nextRunState, phrase, runStatePhrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { recountParts } from '../settlement/advance-parts.js';
import { lockRuns } from '../settlement/lock-runs.js';
import { areFinalsDue, openFinals } from '../settlement/open-finals.js';
import type { LockedRun } from '../settlement/settlement.types.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { finishRuns } from './finish-runs.js';
import { type LiveAttempt, lockLiveAttempts, stopRunning, withdrawUnclaimed } from './live-attempts.js';
import { taskRunsAccepting } from './state-lists.js';

/** A run whose course was changed from outside. */
export interface SteeredRun {
  projectId: string;
  /** Nodes whose agents have something to stop or to forget. */
  nodeIds: string[];
  /** Attempts that changed. */
  attemptIds: string[];
}

/**
 * Cancels a run: what has not started is cancelled at once and gives back what it holds; what runs is told to stop and ends when its agent has verified
 * the exit. It takes the place of marks whose attempts were being stopped. Its final tasks run once all others have ended; `asked` cancels them too, also
 * of a run that is being cancelled already. A run that still waits for its key has nothing to tidy: its final tasks are cancelled with it. Cancelling twice changes nothing. Throws not-found and run-not-cancellable.
 */
export async function cancelRun(sql: Sql, specs: WorkflowSpecs, runId: string, asked = false): Promise<SteeredRun> {
  const run = (await lockRuns(sql, 'runs', [runId])).get(runId);
  if (!run) throw new AppError('not-found', phrase('no-such-run'));
  const [queued] = await sql.query('select 1 from run_admissions where run_id = $1 and ended_at is null and admitted_at is null', [runId]);
  const wholly = asked || queued !== undefined;
  const done = run.state === 'cancelling' && (run.finalsCancelled || !wholly);
  if (done) return { projectId: run.projectId, nodeIds: [], attemptIds: [] };
  if (run.state !== 'cancelling' && nextRunState(run.state, 'cancel') === null)
    throw new AppError('run-not-cancellable', phrase('run-has-ended', { state: runStatePhrase(run.state) }));
  await sql.query(
    `update runs set state = 'cancelling', finals_cancelled = $2, final_tasks = case when $2 then 0 else final_tasks end where id = $1`,
    [runId, wholly],
  );
  const spared = wholly ? [] : await finalPositions(sql, specs, run);
  const live = await stopWork(sql, runId, spared);
  await endCancelled(sql, specs, { ...run, state: 'cancelling', finalTasks: wholly ? 0 : run.finalTasks });
  return { projectId: run.projectId, nodeIds: [...new Set(live.map((attempt) => attempt.node_id))], attemptIds: live.map(({ id }) => id) };
}

async function finalPositions(sql: Sql, specs: WorkflowSpecs, run: LockedRun): Promise<number[]> {
  const { dag, positionOf } = await specs.load(sql, run.workflowId, run.workflowVersion);
  return dag.finals.map(positionOf);
}

/** Everything of the run but the tasks at these positions. */
async function stopWork(sql: Sql, runId: string, spared: readonly number[]): Promise<LiveAttempt[]> {
  await sql.query('select id from task_runs where run_id = $1 and finished_at is null order by id for update', [runId]);
  const live = await lockLiveAttempts(sql, 'run', [runId], spared);
  await stopRunning(sql, live);
  const { release } = await withdrawUnclaimed(sql, live, phrase('withdrawn-cancelled'));
  await release();
  await cancelTaskRuns(sql, runId, spared);
  await resumeSpared(sql, runId, spared);
  return live;
}

/** What was spared goes on, also where the run was paused. */
async function resumeSpared(sql: Sql, runId: string, spared: readonly number[]): Promise<void> {
  if (spared.length === 0) return;
  await sql.query(
    `update task_runs set state = 'ready', retry_at = null, ready_at = clock_timestamp() where run_id = $1 and position = any($2) and state in ${taskRunsAccepting('resume')}`,
    [runId, spared],
  );
}

/** Nothing may be left to wait for: then the final tasks begin, or the run has ended. */
async function endCancelled(sql: Sql, specs: WorkflowSpecs, run: LockedRun): Promise<void> {
  await recountParts(sql, run);
  const [counted] = await sql.query<{ open_tasks: number }>(
    `update runs r set open_tasks = (select count(*) from task_runs t where t.run_id = r.id and t.finished_at is null) where r.id = $1 returning r.open_tasks`,
    [run.id],
  );
  const openTasks = counted!.open_tasks;
  if (areFinalsDue({ ...run, openTasks }, 0)) {
    const { skipped } = await openFinals(sql, run, specs);
    await sql.query('update runs set open_tasks = open_tasks - $2, final_tasks = 0 where id = $1', [run.id, skipped.length]);
  }
  await finishRuns(sql, [run.id]);
}

/** Everything but what runs. */
async function cancelTaskRuns(sql: Sql, runId: string, spared: readonly number[]): Promise<void> {
  await sql.query(
    `update task_runs set state = 'cancelled', finished_at = clock_timestamp(), retry_at = null, next_look_at = null,
       reason = '{"code": "cancelled", "text": "the run was cancelled"}'
     where run_id = $1 and position <> all($2) and state in ${taskRunsAccepting('cancel', 'succeed')}`,
    [runId, spared],
  );
  await sql.query(
    'update task_runs set mark = null where run_id = $1 and position <> all($2) and mark is not null and finished_at is null',
    [runId, spared],
  );
}
