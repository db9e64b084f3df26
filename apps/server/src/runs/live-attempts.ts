import { inEnglish, type Phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { releaseReservations } from './release-reservations.js';
import { attemptsAccepting, reservationsAccepting, taskRunsAccepting } from './state-lists.js';

/** An attempt that has not ended, of a task run that is dispatched or runs. */
export interface LiveAttempt {
  id: string;
  task_run_id: string;
  node_id: string;
  state: 'dispatched' | 'running' | 'stopping';
}

/**
 * Locks the attempts of task runs that are not over, but for those at the spared positions; the task runs have to be locked before. `by` says whose the ids are.
 */
export function lockLiveAttempts(
  sql: Sql,
  by: 'run' | 'task-runs',
  ids: readonly string[],
  spared: readonly number[] = [],
): Promise<LiveAttempt[]> {
  return sql.query<LiveAttempt>(
    `select a.id, a.task_run_id, a.node_id, a.state from task_runs t join attempts a on a.task_run_id = t.id
     where ${by === 'run' ? 't.run_id' : 't.id'} = any($1) and t.position <> all($2) and t.state in ${taskRunsAccepting('retry')} and a.finished_at is null order by a.id for update of a`,
    [ids, spared],
  );
}

/**
 * Takes back those that no agent has claimed; the higher fence makes a message that is still on its way worthless. The caller moves the task runs on, and calls `release`
 * after its other statements, since that locks nodes.
 */
export async function withdrawUnclaimed(sql: Sql, live: readonly LiveAttempt[], why: Phrase): Promise<{ release: () => Promise<unknown> }> {
  const unclaimed = live.filter((attempt) => attempt.state === 'dispatched');
  if (unclaimed.length === 0) return { release: () => Promise.resolve() };
  await sql.query(`update task_runs set fence = fence + 1 where id = any($1) and state in ${taskRunsAccepting('withdraw')}`, [
    unclaimed.map((attempt) => attempt.task_run_id),
  ]);
  const ids = unclaimed.map((attempt) => attempt.id);
  await sql.query(
    `update attempts set state = 'cancelled', finished_at = clock_timestamp(), next_send_at = null, pull_from = null, stop_reason = 'cancelled', detail = $2, explanation = $3
     where id = any($1) and state in ${attemptsAccepting('claim')}`,
    [ids, inEnglish(why), JSON.stringify(why)],
  );
  return { release: () => releaseReservations(sql, ids) };
}

/** Orders those that run to stop. Their reservations stay until the exit is verified. */
export async function stopRunning(sql: Sql, live: readonly LiveAttempt[]): Promise<void> {
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
