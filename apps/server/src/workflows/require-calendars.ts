import type { ScheduleSpec } from '@medley/contracts';
import { AppError, type FieldError, fieldError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { lockCalendars } from '../schedules/find-calendars.js';
import type { CalendarOfRow } from '../schedules/schedule-row.js';

/** The calendars that schedules name, by name, locked before the schedules are. Throws validation-failed with every schedule whose calendar the project lacks. */
export async function requireCalendars(
  sql: Sql,
  projectId: string | null,
  schedules: readonly ScheduleSpec[],
): Promise<Map<string, CalendarOfRow>> {
  const names = [...new Set(schedules.flatMap(({ calendar }) => calendar ?? []))];
  if (names.length === 0) return new Map();
  const found = projectId === null ? [] : await lockCalendars(sql, projectId, names);
  const byName = new Map(found.map((calendar) => [calendar.name, calendar]));
  const faults = schedules.flatMap(({ name, calendar }): FieldError[] => {
    if (calendar === null || byName.has(calendar)) return [];
    return [fieldError(`schedules.${name}.calendar`, phrase('no-such-calendar', { name: calendar }), phrase('calendar-form'))];
  });
  const missing = names.find((name) => !byName.has(name));
  if (missing !== undefined) throw new AppError('validation-failed', phrase('no-such-calendar', { name: missing }), faults);
  return byName;
}
