import type { Sql } from '@medley/database';
import { delayedUntil } from '../schedules/delay-fire.js';
import { nextFireAt } from '../schedules/next-fire.js';
import { type TimetableRow, timetableColumns, timetableOfRow } from '../schedules/schedule-row.js';

interface Resting extends TimetableRow {
  id: string;
  jitterSeconds: number;
  nextFireAt: Date | null;
  now: Date;
}

/** Moves the next fires of the schedules of a changed calendar, strictly after now, and returns those that moved. What is due already, or waits for a run, stays. */
export async function moveNextFires(sql: Sql, calendarId: string): Promise<string[]> {
  const schedules = await sql.query<Resting>(
    `select s.id, ${timetableColumns}, s.jitter_seconds as "jitterSeconds", s.next_fire_at as "nextFireAt", clock_timestamp() as now
     from schedules s where s.calendar_id = $1 and s.enabled and s.removed_at is null and (s.kind = 'upstream' or (s.held_by_run_id is null
       and (s.next_fire_at is null or s.next_fire_at > clock_timestamp()))) order by s.id for no key update`,
    [calendarId],
  );
  const moved: string[] = [];
  const ofUpstreams = schedules.filter(({ kind }) => kind === 'upstream').map(({ id }) => id);
  for (const schedule of schedules) {
    if (schedule.kind === 'upstream') continue;
    const next = movedFire(schedule);
    if (next?.getTime() === schedule.nextFireAt?.getTime()) continue;
    await sql.query('update schedules set next_fire_at = $2, delayed_until = $3, updated_at = clock_timestamp() where id = $1', [
      schedule.id,
      next,
      delayedUntil(schedule, next),
    ]);
    moved.push(schedule.id);
  }
  // Which dates wait for upstreams changes with the days.
  await sql.query('update upstream_counts set needs_look = true where schedule_id = any($1)', [ofUpstreams]);
  return [...moved, ...ofUpstreams];
}

/** A fixed delay goes on from when it was due; one that waits for its first run to end has nothing to move. */
function movedFire(schedule: Resting): Date | null {
  const timetable = timetableOfRow(schedule);
  const { rule } = timetable;
  if (rule.kind !== 'fixed-delay') return nextFireAt(timetable, schedule.now);
  return schedule.nextFireAt && nextFireAt(timetable, new Date(schedule.nextFireAt.getTime() - rule.seconds * 1000));
}
