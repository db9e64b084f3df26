import { type Phrase, phrase } from '../phrases/index.js';
import { addDays } from './calendar-date.js';
import {
  type CalendarDays,
  type DayOff,
  dayOff,
  eitherRule,
  endOfDay,
  meansWorkingDays,
  onWorkingDays,
  untilWorkingDay,
  withoutDaysOff,
} from './calendar-days.js';
import { type CronRule, parseCron, zoneFault } from './cron.js';
import type { CronFieldName } from './cron-fields.js';
import type { FireRule } from './fire-rule.js';
import { readLocalInstant, startOfDay } from './local-instant.js';
import type { CronTiming, StartRule } from './schedule-rule.js';
import { localDate } from './zone.js';

/** When a schedule fires, which one that a call starts never does by itself: its rule, between two instants, on the days of a calendar. */
export interface Timetable {
  rule: StartRule;
  zone: string;
  /** No fire before it. A day, or a date and time, of the zone. Also where a fixed rate is counted from. */
  start: string | null;
  /** No fire after it; a day counts wholly. */
  end: string | null;
  calendar: CalendarDays | null;
}

export interface TimetableFault {
  key: 'cron' | 'zone' | 'at' | 'start' | 'end';
  /** Of cron: null when the expression as a whole is at fault. */
  field: CronFieldName | null;
  reason: Phrase;
  expected: Phrase;
}

/** The fires of a timetable, and without its calendar. */
export interface TimetableRule extends FireRule {
  /** What it would be if every day were a working day. */
  readonly everyDay: FireRule;
  readonly calendar: CalendarDays | null;
  /** Set for a cron rule: what it is made of. */
  readonly cron: CronRule | null;
  /** Seconds between two fires, for a fixed rate. */
  readonly rateSeconds: number | null;
  /** No fire is before the one or after the other. */
  readonly startMs: number | null;
  readonly endMs: number | null;
}

export type ReadTimetable = { ok: true; rule: TimetableRule } | { ok: false; faults: TimetableFault[] };

/** Reads all of a timetable; every fault is told at once. */
export function readTimetable(timetable: Timetable): ReadTimetable {
  const { rule, start, end } = timetable;
  const unknownZone = zoneFault(timetable.zone);
  const zone = unknownZone === null ? timetable.zone : 'UTC';
  const faults: TimetableFault[] = unknownZone === null ? [] : [{ ...unknownZone, key: 'zone', field: null }];
  const bounds = { startMs: boundOf('start', start, zone, faults), endMs: boundOf('end', end, zone, faults) };
  if (bounds.startMs !== null && bounds.endMs !== null && bounds.endMs < bounds.startMs)
    faults.push({
      key: 'end',
      field: null,
      reason: phrase('end-before-start', { end: end!, start: start! }),
      expected: phrase('end-form'),
    });
  const base = baseOf(rule, zone, bounds.startMs, faults);
  if (base === null || faults.length > 0) return { ok: false, faults };
  const rateSeconds = rule.kind === 'fixed-rate' ? rule.seconds : null;
  return { ok: true, rule: { ...withCalendar(base, timetable.calendar, bounds), ...bounds, rateSeconds } };
}

interface Base {
  rule: FireRule;
  cron: CronRule | null;
  timing: CronTiming | null;
  isDelay: boolean;
}

function baseOf(rule: StartRule, zone: string, startMs: number | null, faults: TimetableFault[]): Base | null {
  const isDelay = rule.kind === 'fixed-delay';
  const plain = (nextAfter: FireRule['nextAfter']): Base => ({ rule: { zone, nextAfter }, cron: null, timing: null, isDelay });
  switch (rule.kind) {
    case 'cron':
      return cronBase(rule, zone, faults);
    case 'fixed-rate':
      return plain(everySeconds(rule.seconds, startMs ?? readLocalInstant('1970-01-01', zone)!.ms));
    case 'fixed-delay':
      return plain((instantMs) => Math.max(instantMs + rule.seconds * 1000, startMs ?? 0));
    case 'webhook':
      return plain(() => null);
    case 'upstream':
      return plain((instantMs) => nextDayBegins(instantMs, zone));
    case 'one-shot': {
      const at = readLocalInstant(rule.at, zone);
      if (at === null)
        faults.push({ key: 'at', field: null, reason: phrase('instant-unreadable', { text: rule.at }), expected: phrase('instant-form') });
      return at && plain((instantMs) => (at.ms > instantMs ? at.ms : null));
    }
  }
}

function cronBase(timing: CronTiming, zone: string, faults: TimetableFault[]): Base | null {
  const parsed = parseCron(timing.cron, zone, timing);
  if (parsed.ok) return { rule: parsed.rule, cron: parsed.rule, timing, isDelay: false };
  const { field, ...fault } = parsed.error;
  if (field !== 'zone') faults.push({ ...fault, key: 'cron', field });
  return null;
}

/** A date fires at its beginning at the earliest: that is the fire time of its run. */
function nextDayBegins(instantMs: number, zone: string): number {
  let day = localDate(instantMs, zone);
  for (;;) {
    day = addDays(day, 1);
    const atMs = startOfDay(day, zone);
    if (atMs > instantMs) return atMs;
  }
}

/** Counted from an anchor in elapsed time, so that it does not matter when the schedule was made. */
function everySeconds(seconds: number, anchorMs: number): FireRule['nextAfter'] {
  const periodMs = seconds * 1000;
  return (instantMs) => Math.max(anchorMs, anchorMs + (Math.floor((instantMs - anchorMs) / periodMs) + 1) * periodMs);
}

/** A day as the end means its last millisecond. */
function boundOf(key: 'start' | 'end', text: string | null, zone: string, faults: TimetableFault[]): number | null {
  if (text === null) return null;
  const read = readLocalInstant(text, zone);
  if (read !== null) return key === 'end' && read.isDay ? endOfDay(read.ms, zone) - 1 : read.ms;
  faults.push({ key, field: null, reason: phrase('instant-unreadable', { text }), expected: phrase('instant-form') });
  return null;
}

interface Bounds {
  startMs: number | null;
  endMs: number | null;
}

function withCalendar(
  { rule, cron, timing, isDelay }: Base,
  calendar: CalendarDays | null,
  bounds: Bounds,
): Omit<TimetableRule, keyof Bounds | 'rateSeconds'> {
  const limits = isDelay ? { ...bounds, startMs: null } : bounds;
  const everyDay = within(rule, limits);
  if (calendar === null) return { ...everyDay, everyDay, calendar, cron };
  const regular = isDelay ? untilWorkingDay(rule, calendar) : withoutDaysOff(rule, calendar);
  const isForWorkingDays = cron !== null && timing !== null && meansWorkingDays(cron, calendar);
  const all = isForWorkingDays ? eitherRule(regular, onWorkingDays(onEveryWeekday(cron, timing), calendar)) : regular;
  return { ...within(all, limits), everyDay, calendar, cron };
}

function onEveryWeekday({ fields, zone }: CronRule, { gap, overlapHour }: CronTiming): FireRule {
  const parsed = parseCron([...fields.slice(0, 5), '*'].join(' '), zone, { gap, overlapHour });
  if (!parsed.ok) throw new TypeError('a rule that could be read cannot be read for every weekday');
  return parsed.rule;
}

function within(rule: FireRule, { startMs, endMs }: Bounds): FireRule {
  const nextAfter = (instantMs: number): number | null => {
    const next = rule.nextAfter(startMs === null ? instantMs : Math.max(instantMs, startMs - 1));
    return next === null || (endMs !== null && next > endMs) ? null : next;
  };
  return { zone: rule.zone, nextAfter };
}

export interface PlannedFire {
  atMs: number;
  /** Why it does not fire: the day is none of the calendar's working days. Then it is the first of that day. */
  dayOff: DayOff | null;
}

/** The next fires strictly after an instant, and among them the days on which there would be one without the calendar. `count` counts fires; at most as many days off are told. */
export function previewFires({ everyDay, calendar, nextAfter, zone }: TimetableRule, afterMs: number, count: number): PlannedFire[] {
  const planned: PlannedFire[] = [];
  let atMs = afterMs;
  let [fires, daysOff] = [0, 0];
  while (fires < count) {
    const next = nextAfter(atMs);
    const skipped = calendar === null ? null : everyDay.nextAfter(atMs);
    if (skipped !== null && (next === null || skipped < next)) {
      if (++daysOff > count) {
        if (next === null) break;
        atMs = next - 1;
        continue;
      }
      planned.push({ atMs: skipped, dayOff: dayOff(calendar!, localDate(skipped, zone)) });
      atMs = endOfDay(skipped, zone) - 1;
    } else if (next !== null) {
      planned.push({ atMs: next, dayOff: null });
      atMs = next;
      fires++;
    } else break;
  }
  return planned;
}
