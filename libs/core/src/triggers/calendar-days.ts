import type { CronRule } from './cron.js';
import type { FireRule } from './fire-rule.js';
import { startOfDay } from './local-instant.js';
import { dateOfWall, localDate } from './zone.js';

/** A named set of days on which schedules rest. Days are yyyy-mm-dd of the schedule's zone, each with the name it is known by, which may be empty. */
export interface CalendarDays {
  /** Weekdays, from Sunday = 0, on which nothing fires. */
  weekend: readonly number[];
  /** Further days on which nothing fires, such as public holidays. */
  excluded: ReadonlyMap<string, string>;
  /** Days that are working days although the two above say otherwise, such as make-up workdays. */
  working: ReadonlyMap<string, string>;
}

/** Why nothing fires on a day. `name` is that of the day, for an excluded one. */
export type DayOff = { code: 'day-excluded'; name: string } | { code: 'day-of-weekend' };

const dayMs = 86_400_000;
/** A rule whose every fire falls on a day off ends after so many of them. */
const mostDaysOff = 2000;

/** Why nothing fires on a day, or null when it is a working day. */
export function dayOff(calendar: CalendarDays, day: string): DayOff | null {
  if (calendar.working.has(day)) return null;
  const name = calendar.excluded.get(day);
  if (name !== undefined) return { code: 'day-excluded', name };
  return calendar.weekend.includes(weekdayOf(day)) ? { code: 'day-of-weekend' } : null;
}

export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The instant at which the day after the one of an instant begins. */
export function endOfDay(instantMs: number, zone: string): number {
  const next = Date.parse(`${localDate(instantMs, zone)}T00:00:00Z`) + dayMs;
  return startOfDay(dateOfWall(next), zone);
}

/** A rule that leaves out what falls on days off. */
export function withoutDaysOff(rule: FireRule, calendar: CalendarDays): FireRule {
  const { zone } = rule;
  const nextAfter = (instantMs: number): number | null => {
    let next = rule.nextAfter(instantMs);
    for (let days = 0; next !== null && days < mostDaysOff; days++) {
      if (dayOff(calendar, localDate(next, zone)) === null) return next;
      next = rule.nextAfter(endOfDay(next, zone) - 1);
    }
    return null;
  };
  return { zone, nextAfter };
}

/** A rule of a pause: what would fire on a day off fires when the next working day begins. */
export function untilWorkingDay(rule: FireRule, calendar: CalendarDays): FireRule {
  const { zone } = rule;
  const nextAfter = (instantMs: number): number | null => {
    let next = rule.nextAfter(instantMs);
    for (let days = 0; next !== null && days < mostDaysOff; days++) {
      if (dayOff(calendar, localDate(next, zone)) === null) return next;
      next = endOfDay(next, zone);
    }
    return null;
  };
  return { zone, nextAfter };
}

/**
 * Whether a cron rule means every working day: it names exactly the weekdays that are no weekend, and no days of the month. Such a rule fires on extra working days too,
 * whatever weekday they are; a rule for Mondays does not.
 */
export function meansWorkingDays({ fields }: CronRule, { weekend }: CalendarDays): boolean {
  const weekdays = weekdaysOf(fields[5]!);
  if (weekdays === null || !/^[*?]$/.test(fields[3]!) || weekend.length === 0) return false;
  return [0, 1, 2, 3, 4, 5, 6].every((day) => weekdays.has(day) !== weekend.includes(day));
}

const weekdayNames = 'SUN MON TUE WED THU FRI SAT'.split(' ');

/** The weekdays of a Unix field of numbers, names, lists and ranges; null for anything else. */
function weekdaysOf(field: string): Set<number> | null {
  const days = new Set<number>();
  for (const item of field.toUpperCase().split(',')) {
    const [from, to] = item
      .split('-')
      .map((text) => (weekdayNames.includes(text) ? weekdayNames.indexOf(text) : /^[0-7]$/.test(text) ? Number(text) : Number.NaN));
    if (from === undefined || Number.isNaN(from) || Number.isNaN(to ?? 0)) return null;
    for (let day = from; day <= (to ?? from); day++) days.add(day % 7);
  }
  return days;
}

/** The fires of a rule on the extra working days of a calendar only. */
export function onWorkingDays(rule: FireRule, calendar: CalendarDays): FireRule {
  const { zone } = rule;
  const days = [...calendar.working.keys()].sort();
  const nextAfter = (instantMs: number): number | null => {
    const today = localDate(instantMs, zone);
    for (const day of days) {
      if (day < today) continue;
      const next = rule.nextAfter(Math.max(instantMs, startOfDay(day, zone) - 1));
      if (next !== null && localDate(next, zone) === day) return next;
    }
    return null;
  };
  return { zone, nextAfter };
}

/** The fires of either rule, in order and each once. */
export function eitherRule(one: FireRule, other: FireRule): FireRule {
  const nextAfter = (instantMs: number): number | null => {
    const fires = [one.nextAfter(instantMs), other.nextAfter(instantMs)].filter((ms) => ms !== null);
    return fires.length === 0 ? null : Math.min(...fires);
  };
  return { zone: one.zone, nextAfter };
}
