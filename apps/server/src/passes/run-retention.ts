import { inTransaction, type Sql } from '@medley/database';
import type { DataSource } from 'typeorm';
import { dropFiles } from '../working-files/files-expiry.js';
import { dropLogs } from './archive-expiry.js';

/** Runs looked at in one transaction, and task runs removed with them. */
const BATCH_RUNS = 200;
const BATCH_TASKS = 5000;

interface OldRun {
  id: string;
  task_count: number;
}

/** Ended long ago. Ids grow with time and a run ends after it was created, so that old ones come first. */
const isOld = `r.finished_at < clock_timestamp() - make_interval(secs => $1)`;

/**
 * Removes runs that ended longer ago than they are kept, with all that belongs to them: task runs, attempts, reservations, slots of limits, decisions, logs and files. A run that another one
 * repeats stays until that has gone, since what the rerun kept points into it. Only the audit goes on to tell of them. Returns whether there may be more.
 */
export async function removeOldRuns(source: DataSource, keepSeconds: number): Promise<boolean> {
  return inTransaction(source, async (sql) => {
    const old = await sql.query<OldRun>(
      `select r.id, r.task_count from runs r where ${isOld} and not exists (select 1 from runs x where x.rerun_of = r.id)
       order by r.id limit ${BATCH_RUNS} for update of r skip locked`,
      [keepSeconds],
    );
    const chosen = firstOf(old);
    // With the rows locked nobody begins another rerun of them; one that began before is seen now.
    const rows = await sql.query<{ id: string }>(
      'select id from unnest($1::uuid[]) as c(id) where not exists (select 1 from runs x where x.rerun_of = c.id)',
      [chosen],
    );
    await removeRuns(
      sql,
      rows.map(({ id }) => id),
    );
    return rows.length > 0;
  });
}

/** As many as have few enough tasks, but one at least. */
function firstOf(runs: readonly OldRun[]): string[] {
  const chosen: string[] = [];
  let tasks = 0;
  for (const { id, task_count } of runs) {
    tasks += task_count;
    if (tasks > BATCH_TASKS && chosen.length > 0) break;
    chosen.push(id);
  }
  return chosen;
}

/** When the backfills ended that would go. */
export const oldBackfills =
  'select b.finished_at as at from backfills b where b.finished_at < clock_timestamp() - make_interval(secs => $1)';

/** Removes backfills that ended longer ago than runs are kept; their runs ended before them. */
export async function removeOldBackfills(sql: Sql, keepSeconds: number): Promise<void> {
  await sql.query('delete from backfills b where b.finished_at < clock_timestamp() - make_interval(secs => $1)', [keepSeconds]);
}

async function removeRuns(sql: Sql, runIds: readonly string[]): Promise<void> {
  const attempts = await sql.query<{ id: string }>(
    'select a.id from task_runs t join attempts a on a.task_run_id = t.id where t.run_id = any($1) order by a.id for update of a',
    [runIds],
  );
  const attemptIds = attempts.map(({ id }) => id);
  await dropLogs(sql, attemptIds);
  await dropFiles(sql, attemptIds);
  await sql.query('delete from placement_decisions where attempt_id = any($1)', [attemptIds]);
  await sql.query('delete from reservations where attempt_id = any($1)', [attemptIds]);
  await sql.query('delete from limit_holders where attempt_id = any($1)', [attemptIds]);
  await sql.query('delete from attempts where id = any($1)', [attemptIds]);
  await sql.query('delete from task_outputs o using task_runs t where o.task_run_id = t.id and t.run_id = any($1)', [runIds]);
  await sql.query('delete from task_parts p using task_runs t where p.task_run_id = t.id and t.run_id = any($1)', [runIds]);
  await sql.query('delete from task_runs where run_id = any($1)', [runIds]);
  await sql.query('delete from runs where id = any($1)', [runIds]);
}

/** When the runs ended that would go, with those that go after their reruns; `$1` seconds are kept. */
export const oldRuns = `
with recursive needed as (
  select r.rerun_of as id from runs r where r.rerun_of is not null and (r.finished_at is null or not ${isOld})
  union select r.rerun_of from needed n join runs r on r.id = n.id where r.rerun_of is not null
) select r.finished_at as at from runs r where ${isOld} and r.id not in (select id from needed)`;
