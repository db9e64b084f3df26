import type { OverlapPolicy } from '@medley/core';
import type { Sql } from '@medley/database';
import { type TimetableRow, timetableColumns } from '../schedules/schedule-row.js';
import type { FirePlanner } from './fire-planner.js';

/** Under `allow` a schedule waits only for its run to begin. A run that is no longer there has ended long ago. */
const isReleased = `(r.id is null or r.finished_at is not null or (s.overlap = 'allow' and s.kind <> 'fixed-delay' and r.state <> 'queued'))`;

/** Whether some schedule waits for a run that it need not wait for any more. */
export const someHeldIsReleased = `exists (select 1 from schedules s left join runs r on r.id = s.held_by_run_id where s.held_by_run_id is not null and ${isReleased})`;

interface ReleasedRow extends TimetableRow {
  id: string;
  project_id: string;
  endedAt: Date;
}

/** Lets schedules go on whose run has ended or begun: what they held is due now, and a fixed delay is counted from the end of the run. */
export async function releaseHeld(sql: Sql, planner: FirePlanner, most: number): Promise<{ id: string; projectId: string }[]> {
  const rows = await sql.query<ReleasedRow>(
    `select s.id, s.project_id, ${timetableColumns}, coalesce(r.finished_at, clock_timestamp()) as "endedAt"
     from schedules s left join runs r on r.id = s.held_by_run_id
     where s.held_by_run_id is not null and ${isReleased} order by s.id limit $1 for no key update of s skip locked`,
    [most],
  );
  if (rows.length === 0) return [];
  const next = rows.map((row) => (row.kind === 'fixed-delay' ? planner.nextAfter(row, row.endedAt.getTime()) : null));
  await sql.query(
    `update schedules s set held_by_run_id = null, delayed_until = null,
       next_fire_at = case when s.kind = 'fixed-delay' then to_timestamp(f.next / 1000.0) else s.next_fire_at end
     from unnest($1::uuid[], $2::float8[]) as f(id, next) where s.id = f.id`,
    [rows.map(({ id }) => id), next],
  );
  return rows.map(({ id, project_id }) => ({ id, projectId: project_id }));
}

/** Runs that a schedule wants cancelled and waits for: what a server that died between its two transactions left. */
export async function readRunsToCancel(sql: Sql, most: number): Promise<string[]> {
  const policy: OverlapPolicy = 'cancel-running';
  const rows = await sql.query<{ id: string }>(
    `select r.id from schedules s join runs r on r.schedule_id = s.id and r.trigger = 'schedule' and r.finished_at is null and r.state <> 'cancelling'
     where s.held_by_run_id is not null and s.overlap = $1 and s.kind <> 'fixed-delay' and r.id <= s.held_by_run_id limit $2`,
    [policy, most],
  );
  return rows.map(({ id }) => id);
}
