import { AppError, nextRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import { lockRuns } from '../settlement/lock-runs.js';
import { areFinalsDue, openFinals } from '../settlement/open-finals.js';
import type { LockedRun } from '../settlement/settlement.types.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { finishRuns } from './finish-runs.js';
import { releaseReservations } from './release-reservations.js';
import { attemptsAccepting, reservationsAccepting, taskRunsAccepting } from './state-lists.js';

export interface CancelledRun {
  projectId: string;
  /** Nodes whose agents have something to stop or to forget. */
  nodeIds: string[];
  /** Attempts that changed. */
  attemptIds: string[];
}

interface LiveAttempt {
  id: string;
  task_run_id: string;
  node_id: string;
  state: 'dispatched' | 'running' | 'stopping';
}

/**
 * Cancels a run: what has not started is cancelled at once and gives back what it holds; what runs is told to stop and ends when its agent has verified
 * the exit. Its final tasks run once all others have ended; `wholly` cancels them too, also of a run that is being cancelled already. Cancelling twice
 * changes nothing. Throws not-found and run-not-cancellable.
 */
export async function cancelRun(sql: Sql, specs: WorkflowSpecs, runId: string, wholly = false): Promise<CancelledRun> {
  const run = (await lockRuns(sql, 'runs', [runId])).get(runId);
  if (!run) throw new AppError('not-found', 'There is no such run.');
  const done = run.state === 'cancelling' && (run.finalsCancelled || !wholly);
  if (done) return { projectId: run.projectId, nodeIds: [], attemptIds: [] };
  if (run.state !== 'cancelling' && nextRunState(run.state, 'cancel') === null)
    throw new AppError('run-not-cancellable', `The run has ended as ${run.state}.`);
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
  const live = await sql.query<LiveAttempt>(
    `select a.id, a.task_run_id, a.node_id, a.state from task_runs t join attempts a on a.task_run_id = t.id
     where t.run_id = $1 and t.position <> all($2) and t.state in ${taskRunsAccepting('retry')} and a.finished_at is null order by a.id for update of a`,
    [runId, spared],
  );
  await stopRunning(sql, live);
  await withdrawUnclaimed(sql, live);
  await cancelTaskRuns(sql, runId, spared);
  return live;
}

/** Nothing may be left to wait for: then the final tasks begin, or the run has ended. */
async function endCancelled(sql: Sql, specs: WorkflowSpecs, run: LockedRun): Promise<void> {
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

/** The higher fence makes a message that is still on its way worthless. */
async function withdrawUnclaimed(sql: Sql, live: readonly LiveAttempt[]): Promise<void> {
  const unclaimed = live.filter((attempt) => attempt.state === 'dispatched');
  if (unclaimed.length === 0) return;
  await sql.query(`update task_runs set fence = fence + 1 where id = any($1) and state in ${taskRunsAccepting('withdraw')}`, [
    unclaimed.map((attempt) => attempt.task_run_id),
  ]);
  const ids = unclaimed.map((attempt) => attempt.id);
  await sql.query(
    `update attempts set state = 'cancelled', finished_at = clock_timestamp(), next_send_at = null, pull_from = null, stop_reason = 'cancelled',
       detail = 'cancelled before its node had claimed it'
     where id = any($1) and state in ${attemptsAccepting('claim')}`,
    [ids],
  );
  await releaseReservations(sql, ids);
}

/** Their reservations stay until the exit is verified. */
async function stopRunning(sql: Sql, live: readonly LiveAttempt[]): Promise<void> {
  const running = live.filter((attempt) => attempt.state === 'running').map((attempt) => attempt.id);
  if (running.length === 0) return;
  await sql.query(
    `update attempts set state = 'stopping', stop_reason = 'cancelled', stopping_at = clock_timestamp() where id = any($1) and state in ${attemptsAccepting('stop')}`,
    [running],
  );
  await sql.query(
    `with locked as (select attempt_id from reservations where attempt_id = any($1) and state in ${reservationsAccepting('begin-release')} order by attempt_id for update)
     update reservations r set state = 'releasing' from locked l where r.attempt_id = l.attempt_id`,
    [running],
  );
}

/** Everything but what runs. */
async function cancelTaskRuns(sql: Sql, runId: string, spared: readonly number[]): Promise<void> {
  await sql.query(
    `update task_runs set state = 'cancelled', finished_at = clock_timestamp(), retry_at = null, next_look_at = null,
       reason = '{"code": "cancelled", "text": "the run was cancelled"}'
     where run_id = $1 and position <> all($2) and state in ${taskRunsAccepting('cancel', 'succeed')}`,
    [runId, spared],
  );
}
