import type { Sql } from '@medley/database';
import type { CalendarOfRow } from './schedule-row.js';

/** The calendars of a project by their names; those that are missing are left out. */
export function findCalendars(sql: Sql, projectId: string, names: readonly string[]): Promise<CalendarOfRow[]> {
  return sql.query<CalendarOfRow>(
    'select id, version, name, weekend, excluded, working from calendars where project_id = $1 and name = any($2) order by id',
    [projectId, names],
  );
}

/** The same, kept from being changed or removed until the transaction ends: before the schedules that are to rest by them are locked. */
export function lockCalendars(sql: Sql, projectId: string, names: readonly string[]): Promise<CalendarOfRow[]> {
  return sql.query<CalendarOfRow>(
    'select id, version, name, weekend, excluded, working from calendars where project_id = $1 and name = any($2) order by id for share',
    [projectId, names],
  );
}
