import { Cron } from 'croner';
import { type Phrase, phrase } from '../phrases/index.js';
import { type CronFault, cronFieldFault } from './cron-fields.js';
import { isKnownZone } from './zone.js';

/**
 * A cron expression in a zone. What happens where local time jumps:
 * - An expression of fixed times (no `*` and no step in second, minute and hour) fires at the end of the gap when its time does not
 *   exist, and once, the first time, when its time comes twice.
 * - Any other is an interval: it goes on with elapsed time, so it fires in both passes of an hour that comes twice.
 */
export interface CronRule {
  readonly expression: string;
  readonly zone: string;
  /** The first fire strictly after an instant, or null when none ever comes. */
  readonly nextAfter: (instantMs: number) => number | null;
}

export interface ZoneFault {
  field: 'zone';
  reason: Phrase;
  expected: Phrase;
}

export type ParsedCron = { ok: true; rule: CronRule } | { ok: false; error: CronFault | ZoneFault };

/** Far enough back that every date that exists comes once within the 400 years of the calendar that follow it. */
const anInstantLongAgoMs = Date.UTC(2000, 0, 1);

/** Reads 5 fields (minute hour day month weekday) or 6 (second first). An error names the field, the reason and what may stand there. */
export function parseCron(expression: string, zone: string): ParsedCron {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== 5 && texts.length !== 6) {
    return { ok: false, error: { field: null, reason: countFault(expression, texts.length), expected: phrase('cron-form') } };
  }
  const fault = cronFieldFault(texts);
  if (fault !== null) return { ok: false, error: fault };
  const unknownZone = zoneFault(zone);
  if (unknownZone !== null) return { ok: false, error: unknownZone };
  return { ok: true, rule: ruleOf(texts.join(' '), zone) };
}

function countFault(expression: string, count: number): Phrase {
  if (expression.trim() === '') return phrase('cron-empty');
  return count === 1 ? phrase('cron-one-field') : phrase('cron-field-count', { count });
}

/** What is wrong with a zone, or null. */
export function zoneFault(zone: string): ZoneFault | null {
  if (isKnownZone(zone)) return null;
  return { field: 'zone', reason: phrase('zone-unknown', { zone }), expected: phrase('zone-form') };
}

/** Every fault of an expression and its zone: one of each at most, since neither hides the other. Empty when they can be read. */
export function cronFaults(expression: string, zone: string): (CronFault | ZoneFault)[] {
  const inUtc = parseCron(expression, 'UTC');
  const ofZone = zoneFault(zone);
  return [...(inUtc.ok ? [] : [inUtc.error]), ...(ofZone === null ? [] : [ofZone])];
}

function ruleOf(expression: string, zone: string): CronRule {
  const cron = new Cron(expression, { paused: true, timezone: zone, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard' });
  return { expression, zone, nextAfter: (instantMs) => cron.nextRun(new Date(instantMs))?.getTime() ?? null };
}

/** The next fires strictly after an instant, fewer than `count` only when no more ever come. The preview and the real fires are these. */
export function nextFires(rule: CronRule, afterMs: number, count: number): number[] {
  const fires: number[] = [];
  let next = count > 0 ? rule.nextAfter(afterMs) : null;
  while (next !== null) {
    fires.push(next);
    next = fires.length < count ? rule.nextAfter(next) : null;
  }
  return fires;
}

/** Whether a rule fires at all; false for dates that do not exist, such as 30 February. */
export function everFires(rule: CronRule): boolean {
  return rule.nextAfter(anInstantLongAgoMs) !== null;
}
