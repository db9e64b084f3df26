import { addDays } from './calendar-date.js';
import type { FireRule } from './fire-rule.js';
import { startOfDay } from './local-instant.js';
import type { UpstreamNeed } from './schedule-rule.js';
import { localDate } from './zone.js';

const hourMs = 3_600_000;

/** How far back a need may look, in days. */
export const maxUpstreamDaysBack = 92;
/** So many days a date waits for its upstreams; later it is not fired any more. */
export const upstreamPatienceDays = 31;

/** What has succeeded of what one need names. */
export interface Arrivals {
  /** The dates of its runs, yyyy-mm-dd. */
  days: ReadonlySet<string>;
  /** Their fire times. */
  instants: readonly number[];
}

/** A schedule of upstreams: its dates as the fires of its timetable, what they need, and what is there. */
export interface UpstreamFacts {
  rule: FireRule;
  needs: readonly UpstreamNeed[];
  /** The first date that counts. */
  since: string;
  /** In the order of the needs. */
  arrived: readonly Arrivals[];
}

/** How a need of a date stands. */
export interface NeedState {
  /** The date that the run has to be of; null when the schedule has no date so early. */
  day: string | null;
  isThere: boolean;
  /** For `hours: all`: how many there are in the day, and when those begin that are missing. */
  hours: { total: number; missing: number[] } | null;
}

export interface UpstreamDate {
  day: string;
  /** Its beginning, which is the fire time of its run. */
  fireAtMs: number;
  needs: NeedState[];
  isComplete: boolean;
}

/** The dates from the first that counts, or `from`, to `to`, with how each of their needs stands. */
export function upstreamDates(facts: UpstreamFacts, from: string, to: string): UpstreamDate[] {
  const own = ownDates(facts, from, to);
  return own.flatMap(({ day, atMs }, index) => {
    if (day < from) return [];
    const needs = facts.needs.map((need, position) => {
      const earlier = own[index + need.day]?.day ?? null;
      return need.workflow === null ? stateOfSelf(earlier, facts.arrived[position]!) : stateOf(need, day, facts, facts.arrived[position]!);
    });
    return [{ day, fireAtMs: atMs, needs, isComplete: needs.every(({ isThere }) => isThere) }];
  });
}

/** The last date that can be complete when nothing later than `day` has succeeded anywhere. */
export function lastCompletable(needs: readonly UpstreamNeed[], day: string): string {
  return addDays(day, Math.min(...needs.flatMap((need) => (need.workflow === null ? [] : [0 - need.day]))));
}

/** Those that look back on themselves are walked from the first that counts. */
function ownDates({ rule, needs, since }: UpstreamFacts, from: string, to: string): { day: string; atMs: number }[] {
  const looksBack = needs.some(({ workflow }) => workflow === null);
  const first = looksBack || since > from ? since : from;
  const dates: { day: string; atMs: number }[] = [];
  let atMs = rule.nextAfter(startOfDay(first, rule.zone) - 1);
  for (; atMs !== null; atMs = rule.nextAfter(atMs)) {
    const day = localDate(atMs, rule.zone);
    if (day > to) break;
    dates.push({ day, atMs });
  }
  return dates;
}

/** The first dates that count have none before them to wait for. */
function stateOfSelf(day: string | null, { days }: Arrivals): NeedState {
  return { day, isThere: day === null || days.has(day), hours: null };
}

function stateOf(need: UpstreamNeed, of: string, { rule }: UpstreamFacts, { days, instants }: Arrivals): NeedState {
  const day = addDays(of, need.day);
  if (need.hours === null) return { day, isThere: days.has(day), hours: null };
  const hours = hoursOfDay(day, rule.zone);
  const missing = hours.filter((hour) => !instants.some((ms) => ms >= hour && ms < hour + hourMs));
  return { day, isThere: missing.length === 0, hours: { total: hours.length, missing } };
}

/** When the hours of a day begin, in elapsed time; half an hour that a change of clocks leaves at its end is none. */
export function hoursOfDay(day: string, zone: string): number[] {
  const fromMs = startOfDay(day, zone);
  const count = Math.floor((startOfDay(addDays(day, 1), zone) - fromMs) / hourMs);
  return Array.from({ length: count }, (_, hour) => fromMs + hour * hourMs);
}
