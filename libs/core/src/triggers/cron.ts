import { type Phrase, phrase } from '../phrases/index.js';
import { type CronFault, cronFieldFault } from './cron-fields.js';
import { isDayFromEnd, nextWallOf } from './days-from-end.js';
import type { FireRule } from './fire-rule.js';
import { unixFieldsOfQuartz } from './quartz-fields.js';
import type { CronDialect, GapPolicy, OverlapHourPolicy } from './schedule-rule.js';
import { nextWallFire } from './wall-fires.js';
import { isKnownZone } from './zone.js';

/**
 * A cron expression in a zone. What happens where local time jumps, unless a policy says otherwise:
 * - An expression of fixed times (no `*` and no step in second, minute and hour) fires at the end of the gap when its time does not
 *   exist, and once, the first time, when its time comes twice.
 * - Any other is an interval: it goes on with elapsed time, so it has no fire in a gap and fires in both passes of an hour that comes twice.
 */
export interface CronRule extends FireRule {
  readonly expression: string;
  /** Seven fields in Unix's way, whatever the dialect: second, minute, hour, day of month, month, weekday, year. */
  readonly fields: readonly string[];
}

export interface ZoneFault {
  field: 'zone';
  reason: Phrase;
  expected: Phrase;
}

export type ParsedCron = { ok: true; rule: CronRule } | { ok: false; error: CronFault | ZoneFault };

export interface CronOptions {
  dialect?: CronDialect;
  gap?: GapPolicy | null;
  overlapHour?: OverlapHourPolicy | null;
}

/** Reads an expression of a dialect. An error names the field, the reason and what may stand there. */
export function parseCron(expression: string, zone: string, options: CronOptions = {}): ParsedCron {
  const read = (options.dialect ?? 'unix') === 'quartz' ? readQuartz(expression) : readUnix(expression);
  if (!read.ok) return { ok: false, error: read.fault };
  const unknownZone = zoneFault(zone);
  if (unknownZone !== null) return { ok: false, error: unknownZone };
  return { ok: true, rule: ruleOf(expression, read.fields, zone, options) };
}

/** What is wrong with a zone, or null. */
export function zoneFault(zone: string): ZoneFault | null {
  if (isKnownZone(zone)) return null;
  return { field: 'zone', reason: phrase('zone-unknown', { zone }), expected: phrase('zone-form') };
}

/** Every fault of an expression and its zone: one of each at most, since neither hides the other. Empty when they can be read. */
export function cronFaults(expression: string, zone: string, dialect: CronDialect = 'unix'): (CronFault | ZoneFault)[] {
  const inUtc = parseCron(expression, 'UTC', { dialect });
  const ofZone = zoneFault(zone);
  return [...(inUtc.ok ? [] : [inUtc.error]), ...(ofZone === null ? [] : [ofZone])];
}

type ReadCron = { ok: true; fields: string[] } | { ok: false; fault: CronFault };

function readUnix(expression: string): ReadCron {
  const texts = textsOf(expression);
  if (texts.length !== 5 && texts.length !== 6) return { ok: false, fault: countFault(texts, phrase('cron-form')) };
  const fault = cronFieldFault(texts);
  if (fault !== null) return { ok: false, fault };
  return { ok: true, fields: [...(texts.length === 5 ? ['0'] : []), ...texts, '*'] };
}

function readQuartz(expression: string): ReadCron {
  const texts = textsOf(expression);
  if (texts.length !== 6 && texts.length !== 7) return { ok: false, fault: countFault(texts, phrase('cron-quartz-form')) };
  const translated = unixFieldsOfQuartz(texts);
  if (!translated.ok) return translated;
  const fault = cronFieldFault(forTheLibrary(translated.fields).slice(0, 6));
  return fault === null ? translated : { ok: false, fault };
}

/** With a day that the library knows in place of each that it does not. */
function forTheLibrary(fields: readonly string[]): string[] {
  return fields.with(
    3,
    fields[3]!
      .split(',')
      .map((item) => (isDayFromEnd(item) ? 'L' : item))
      .join(','),
  );
}

const textsOf = (expression: string) => expression.trim().split(/\s+/);

function countFault(texts: readonly string[], expected: Phrase): CronFault {
  const count = texts[0] === '' ? 0 : texts.length;
  const reasons = [phrase('cron-empty'), phrase('cron-one-field')];
  return { field: null, reason: reasons[count] ?? phrase('cron-field-count', { count }), expected };
}

/** Times are reckoned as if clocks were never changed: what happens when they are is decided by `nextWallFire`. */
function ruleOf(expression: string, fields: readonly string[], zone: string, { gap, overlapHour }: CronOptions): CronRule {
  const isFixed = fields.slice(0, 3).every((field) => !/[*/]/.test(field));
  const times = {
    zone,
    nextWall: nextWallOf(fields),
    gap: gap ?? (isFixed ? 'shift' : 'skip'),
    overlapHour: overlapHour ?? (isFixed ? 'once' : 'twice'),
  };
  return {
    expression: textsOf(expression).join(' '),
    fields,
    zone,
    nextAfter: (instantMs) => nextWallFire(times, instantMs),
  };
}
