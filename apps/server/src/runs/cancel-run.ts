import { AppError, nextRunState, type RunState } from '@medley/core';
import type { Sql } from '@medley/database';
import { finishRuns } from './finish-runs.js';
import { releaseReservations } from './release-reservations.js';
import { attemptsAccepting, reservationsAccepting, runsAccepting, taskRunsAccepting } from './state-lists.js';

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
 * the exit. Cancelling twice changes nothing. Throws not-found and run-not-cancellable.
 */
export async function cancelRun(sql: Sql, runId: string): Promise<CancelledRun> {
  const [run] = await sql.query<{ project_id: string; state: RunState }>('select project_id, state from runs where id = $1 for update', [
    runId,
  ]);
  if (!run) throw new AppError('not-found', 'There is no such run.');
  if (run.state === 'cancelling') return { projectId: run.project_id, nodeIds: [], attemptIds: [] };
  if (nextRunState(run.state, 'cancel') === null) throw new AppError('run-not-cancellable', `The run has ended as ${run.state}.`);
  await sql.query(`update runs set state = 'cancelling' where id = $1 and state in ${runsAccepting('cancel')}`, [runId]);
  await sql.query('select id from task_runs where run_id = $1 and finished_at is null order by id for update', [runId]);
  const live = await sql.query<LiveAttempt>(
    `select a.id, a.task_run_id, a.node_id, a.state from task_runs t join attempts a on a.task_run_id = t.id
     where t.run_id = $1 and t.state in ${taskRunsAccepting('retry')} and a.finished_at is null order by a.id for update of a`,
    [runId],
  );
  await stopRunning(sql, live);
  await withdrawUnclaimed(sql, live);
  await cancelTaskRuns(sql, runId);
  await finishRuns(sql, [runId]);
  return { projectId: run.project_id, nodeIds: [...new Set(live.map((attempt) => attempt.node_id))], attemptIds: live.map(({ id }) => id) };
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
async function cancelTaskRuns(sql: Sql, runId: string): Promise<void> {
  await sql.query(
    `update task_runs set state = 'cancelled', finished_at = clock_timestamp(), retry_at = null, reason = '{"code": "cancelled", "text": "the run was cancelled"}'
     where run_id = $1 and state in ${taskRunsAccepting('cancel', 'succeed')}`,
    [runId],
  );
  await sql.query(
    'update runs r set open_tasks = (select count(*) from task_runs t where t.run_id = r.id and t.finished_at is null) where r.id = $1',
    [runId],
  );
}
