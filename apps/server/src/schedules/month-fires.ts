import { type CronRule, type CronTimes, cronTimes, endOfDay, type FireRule, localDate, startOfDay, type TimetableRule } from '@medley/core';

const HOUR_MS = 3_600_000;
/** A rule that fires more often on one day is counted by its fields, not walked: an expression of seconds has millions of fires in a month. */
const MOST_LISTED_A_DAY = 6;

export interface DayFires {
  count: number;
  /** All of them in order, or only the first when there are more than are listed. */
  at: number[];
}

/** The fires of a rule from an instant up to another by the calendar days of a zone. Of a dense cron rule, days on which clocks change are counted to the hour. */
export function firesByDay(rule: TimetableRule, zone: string, fromMs: number, toMs: number): Map<string, DayFires> {
  const days = new Map<string, DayFires>();
  const add = (atMs: number, count: number) => {
    const day = localDate(atMs, zone);
    const known = days.get(day) ?? { count: 0, at: [] };
    if (known.at.length < MOST_LISTED_A_DAY) known.at.push(atMs);
    days.set(day, { ...known, count: known.count + count });
  };
  const range = { fromMs: Math.max(fromMs, rule.startMs ?? fromMs), toMs: Math.min(toMs, (rule.endMs ?? toMs) + 1) };
  if (rule.cron !== null && isDense(rule.cron)) countByHours(rule, cronTimes(rule.cron.fields), range, add);
  else if (rule.rateSeconds !== null) countByDays(rule, rule.rateSeconds, zone, range, add);
  else walk(rule, range.fromMs, range.toMs, add);
  for (const fires of days.values()) if (fires.count > MOST_LISTED_A_DAY) fires.at.splice(1);
  return days;
}

function isDense({ fields }: CronRule): boolean {
  const { hours, minutes, seconds } = cronTimes(fields);
  return hours.length * minutes.length * seconds.length > MOST_LISTED_A_DAY;
}

type Add = (atMs: number, count: number) => void;

function walk(rule: FireRule, fromMs: number, toMs: number, add: Add): void {
  for (let at = rule.nextAfter(fromMs - 1); at !== null && at < toMs; at = rule.nextAfter(at)) add(at, 1);
}

/** The fires of a rate on one day are as many as periods fit between the first and the day's end. */
function countByDays(
  rule: TimetableRule,
  seconds: number,
  zone: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  add: Add,
): void {
  const periodMs = seconds * 1000;
  let first = rule.nextAfter(fromMs - 1);
  while (first !== null && first < toMs) {
    const nextDay = new Date(Date.parse(localDate(first, zone)) + 24 * HOUR_MS).toISOString().slice(0, 10);
    const dayEndMs = rule.calendar === null ? toMs : endOfDay(first, rule.zone);
    const endMs = Math.min(toMs, startOfDay(nextDay, zone), dayEndMs);
    const count = Math.floor((endMs - 1 - first) / periodMs) + 1;
    for (let index = 0; index < Math.min(count, MOST_LISTED_A_DAY); index++) add(first + index * periodMs, 1);
    if (count > MOST_LISTED_A_DAY) add(first, count - MOST_LISTED_A_DAY);
    first = rule.nextAfter(endMs - 1);
  }
}

/** Finds the first fire of each day of the rule's own zone, and adds the fires of that hour from it on and of the hours after it. */
function countByHours(rule: FireRule, fields: CronTimes, { fromMs, toMs }: { fromMs: number; toMs: number }, add: Add): void {
  const { hours, minutes, seconds } = fields;
  let first = rule.nextAfter(fromMs - 1);
  while (first !== null && first < toMs) {
    const clock = clockIn(first, rule.zone);
    const later = minutes.filter((minute) => minute > clock.minute).length * seconds.length;
    add(first, later + seconds.filter((second) => second >= clock.second).length);
    const hourStart = first - (clock.minute * 60 + clock.second) * 1000;
    for (const hour of hours) {
      const at = hourStart + (hour - clock.hour) * HOUR_MS + (minutes[0]! * 60 + seconds[0]!) * 1000;
      if (hour > clock.hour && at < toMs) add(at, minutes.length * seconds.length);
    }
    const end = hourStart + (24 - clock.hour) * HOUR_MS;
    first = rule.nextAfter((clockIn(end, rule.zone).hour === 1 ? end - HOUR_MS : end) - 1);
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function clockIn(atMs: number, zone: string): { hour: number; minute: number; second: number } {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
    formats.set(zone, format);
  }
  const [hour, minute, second] = format.format(atMs).split(':').map(Number) as [number, number, number];
  return { hour, minute, second };
}
