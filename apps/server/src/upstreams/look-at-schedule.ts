import { addDays, readTimetable, startOfDay, upstreamDates } from '@medley/core';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import { timetableOfRow } from '../schedules/schedule-row.js';
import { takeOverArrivals } from './arrivals.js';
import { needsOf, readFacts, type UpstreamRow } from './read-facts.js';

export interface LockedUpstreamRow extends UpstreamRow {
  projectId: string;
  isSeeded: boolean;
}

/**
 * Notes the dates of a schedule for which all is there, and when the next of them fires. Its row is locked. Returns whether anything became ready.
 * One whose rule or zone cannot be read any more is put to rest: only a changed zone database can do this.
 */
export async function lookAtSchedule(sql: Sql, row: LockedUpstreamRow): Promise<boolean> {
  if (!readTimetable(timetableOfRow(row)).ok) {
    await sql.query('update upstream_counts set needs_look = false where schedule_id = $1', [row.id]);
    return false;
  }
  if (!row.isSeeded) await takeOver(sql, row);
  const { facts, from, to, today } = await readFacts(sql, row);
  const complete = upstreamDates(facts, from, to).filter(({ isComplete }) => isComplete);
  // Enabling never fires at once: what was there before is not made up for.
  const since = !row.isSeeded && complete.some(({ day }) => day === today) ? addDays(today, 1) : row.since;
  const ready = complete.filter(({ day }) => day >= since);
  const days = ready.map(({ day }) => day);
  await sql.query(
    'delete from upstream_dates where schedule_id = $1 and fired_at is null and fire_at > clock_timestamp() and day <> all($2::date[])',
    [row.id, days],
  );
  const added = await sql.query(
    `insert into upstream_dates (schedule_id, day, fire_at) select $1, d, f from unnest($2::date[], $3::timestamptz[]) as r(d, f)
     on conflict do nothing returning day`,
    [row.id, days, ready.map(({ fireAtMs }) => new Date(fireAtMs))],
  );
  await sql.query(
    `update schedules s set next_fire_at = (select min(fire_at) from upstream_dates d where d.schedule_id = s.id and d.fired_at is null)
     where s.id = $1 and s.held_by_run_id is null`,
    [row.id],
  );
  await sql.query('update upstream_counts set since = $2, is_seeded = true, needs_look = false where schedule_id = $1', [row.id, since]);
  return added.length > 0;
}

/** A run is never created before its fire time, so that its id tells that it is not too old. */
async function takeOver(sql: Sql, row: LockedUpstreamRow): Promise<void> {
  for (const [position, need] of needsOf(row).entries()) {
    if (need.workflow === null) continue;
    const fromMs = startOfDay(addDays(row.since, need.day - 1), row.zone);
    await takeOverArrivals(sql, row.workflowIds[position]!, uuidv7LowerBound(fromMs));
  }
}
