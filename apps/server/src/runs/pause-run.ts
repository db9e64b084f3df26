import { AppError, nextRunState, type Phrase, phrase, type RunState, runStatePhrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { SteeredRun } from './cancel-run.js';
import { lockLiveAttempts, withdrawUnclaimed } from './live-attempts.js';
import { runsAccepting, taskRunsAccepting } from './state-lists.js';

const unchanged = (projectId: string): SteeredRun => ({ projectId, nodeIds: [], attemptIds: [] });

/**
 * Pauses a run: what runs goes on to its end, and nothing else begins, neither what was ready nor a retry. What was sent to a node and not claimed is taken back, so that
 * its place is free for others. What waits for something outside without holding a slot goes on waiting, and only what follows is held back. Pausing twice changes nothing, but that a run which was
 * paused with its parent does not go on with it. Throws not-found and run-not-pausable.
 */
export async function pauseRun(sql: Sql, runId: string): Promise<SteeredRun> {
  const run = await lockRun(sql, runId);
  if (run.state === 'paused') {
    await sql.query('update runs set paused_by_parent = false where id = $1 and paused_by_parent', [runId]);
    return unchanged(run.project_id);
  }
  if (nextRunState(run.state, 'pause') === null) throw new AppError('run-not-pausable', notNow(run.state, 'pause-impossible'));
  await sql.query(`update runs set state = 'paused' where id = $1 and state in ${runsAccepting('pause')}`, [runId]);
  await sql.query('select id from task_runs where run_id = $1 and finished_at is null order by id for update', [runId]);
  const live = (await lockLiveAttempts(sql, 'run', [runId])).filter(({ state }) => state === 'dispatched');
  const { release } = await withdrawUnclaimed(sql, live, phrase('withdrawn-paused'));
  await sql.query(
    `update task_runs set state = 'paused', reason = null, next_look_at = null
     where run_id = $1 and state in ${taskRunsAccepting('pause')} and not (state = 'blocked' and pool_id is null)`,
    [runId],
  );
  await release();
  return { projectId: run.project_id, nodeIds: [...new Set(live.map(({ node_id }) => node_id))], attemptIds: live.map(({ id }) => id) };
}

/** Lets a paused run go on; a retry whose delay is not over waits for the rest of it. Resuming twice changes nothing. Throws not-found and run-not-pausable. */
export async function resumeRun(sql: Sql, runId: string): Promise<SteeredRun> {
  const run = await lockRun(sql, runId);
  if (run.state === 'running' || run.state === 'queued') return unchanged(run.project_id);
  if (nextRunState(run.state, 'resume') === null) throw new AppError('run-not-pausable', notNow(run.state, 'resume-impossible'));
  await sql.query(
    `update runs set state = case when started_at is null then 'queued' else 'running' end, paused_by_parent = false where id = $1 and state in ${runsAccepting('resume')}`,
    [runId],
  );
  await sql.query(
    `with locked as (select id from task_runs where run_id = $1 and state in ${taskRunsAccepting('resume')} order by id for update)
     update task_runs t set state = case when t.retry_at > clock_timestamp() then 'retry-wait' else 'ready' end,
       retry_at = case when t.retry_at > clock_timestamp() then t.retry_at end, ready_at = clock_timestamp()
     from locked l where t.id = l.id`,
    [runId],
  );
  return unchanged(run.project_id);
}

/** The same as someone asks for it: a run within a paused one goes on only with that one. Throws also run-not-pausable for such a run. */
export async function resumeAsked(sql: Sql, runId: string): Promise<SteeredRun> {
  const [parent] = await sql.query<{ id: string }>(
    `select p.id from runs r join runs p on p.id = r.parent_run_id where r.id = $1 and r.state = 'paused' and p.state = 'paused'`,
    [runId],
  );
  if (parent) throw new AppError('run-not-pausable', phrase('parent-is-paused', { run: parent.id.slice(-8) }));
  return resumeRun(sql, runId);
}

async function lockRun(sql: Sql, runId: string): Promise<{ project_id: string; state: RunState }> {
  const [run] = await sql.query<{ project_id: string; state: RunState }>(
    'select project_id, state from runs where id = $1 for no key update',
    [runId],
  );
  if (!run) throw new AppError('not-found', phrase('no-such-run'));
  return run;
}

function notNow(state: RunState, whileCancelling: 'pause-impossible' | 'resume-impossible'): Phrase {
  return state === 'cancelling' ? phrase(whileCancelling) : phrase('run-has-ended', { state: runStatePhrase(state) });
}
