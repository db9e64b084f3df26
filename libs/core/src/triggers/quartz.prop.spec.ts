import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import { cronFaults, everFires, nextFires, parseCron } from './index.js';

function fires(expression: string, zone: string, from: string, count: number): string[] {
  const parsed = parseCron(expression, zone, { dialect: 'quartz' });
  if (!parsed.ok) throw new Error(`${expression}: ${inEnglish(parsed.error.reason)}`);
  return nextFires(parsed.rule, Date.parse(from), count).map((ms) => new Date(ms).toISOString().slice(0, 16));
}

/** Whether a date is so many before the last of its month; or the weekday that is nearest to it, and in the same month. */
function isWalked(date: Date, back: number, isNearest: boolean): boolean {
  const shifted = (days: number) => new Date(date.getTime() + days * 86_400_000);
  const isMeant = (day: Date) =>
    day.getUTCMonth() === date.getUTCMonth() &&
    new Date(day.getTime() + back * 86_400_000).getUTCMonth() === day.getUTCMonth() &&
    new Date(day.getTime() + (back + 1) * 86_400_000).getUTCMonth() !== day.getUTCMonth();
  const weekday = date.getUTCDay();
  if (!isNearest) return isMeant(date);
  if (weekday === 0 || weekday === 6) return false;
  const isLast = (day: Date) => new Date(day.getTime() + 86_400_000).getUTCMonth() !== day.getUTCMonth();
  if (isMeant(date)) return true;
  if (weekday === 5) return isMeant(shifted(1)) || (isMeant(shifted(2)) && isLast(shifted(2)));
  return weekday === 1 && (isMeant(shifted(-1)) || (isMeant(shifted(-2)) && shifted(-2).getUTCDate() === 1));
}

vi.setConfig({ testTimeout: 30_000 });

describe('Quartz expressions', () => {
  it.each([
    ['0 30 2 ? * 1', ['2026-01-04T02:30', '2026-01-11T02:30'], 'weekdays count from Sunday = 1'],
    ['0 0 9 ? * MON-FRI', ['2026-01-01T09:00', '2026-01-02T09:00', '2026-01-05T09:00'], 'names'],
    [
      '0 0 9 ? * FRI-MON',
      ['2026-01-02T09:00', '2026-01-03T09:00', '2026-01-04T09:00', '2026-01-05T09:00', '2026-01-09T09:00'],
      'ranges over the end',
    ],
    ['0 0 22-2/2 ? * *', ['2026-01-01T02:00', '2026-01-01T22:00', '2026-01-02T00:00'], 'steps over the end'],
    ['0 0 0 ? * 6L', ['2026-01-30T00:00', '2026-02-27T00:00'], 'the last Friday'],
    ['0 0 0 ? * L', ['2026-01-03T00:00', '2026-01-10T00:00'], 'L alone is Saturday'],
    ['0 0 0 ? * 2#1', ['2026-01-05T00:00', '2026-02-02T00:00'], 'the first Monday'],
    ['0 0 0 L * ?', ['2026-01-31T00:00', '2026-02-28T00:00'], 'the last day'],
    ['0 0 0 LW * ?', ['2026-01-30T00:00', '2026-02-27T00:00'], 'the last working day'],
    ['0 0 0 L-3 * ?', ['2026-01-28T00:00', '2026-02-25T00:00'], 'three days before the last'],
    ['0 0 0 L-3W 1,2,5 ?', ['2026-01-28T00:00', '2026-02-25T00:00', '2026-05-28T00:00'], 'the working day nearest to that'],
    ['0 0 0 L-28 2 ?', ['2028-02-01T00:00', '2032-02-01T00:00'], 'a day that only leap years have'],
    ['0 0 0 L-1,15 * ?', ['2026-01-15T00:00', '2026-01-30T00:00', '2026-02-15T00:00', '2026-02-27T00:00'], 'beside other days'],
    ['0 0 0 15W 8 ?', ['2026-08-14T00:00', '2027-08-16T00:00'], 'the nearest working day'],
    ['0 5/20 * ? * *', ['2026-01-01T00:05', '2026-01-01T00:25', '2026-01-01T00:45', '2026-01-01T01:05'], 'a step from a number on'],
    ['0 0 0 1 1 ? 2028', ['2028-01-01T00:00'], 'a year'],
    ['0 0 0 1 JAN ? 2027/2', ['2027-01-01T00:00', '2029-01-01T00:00'], 'every other year'],
  ])('%s', (expression, expected) => {
    expect(fires(expression, 'UTC', '2026-01-01T00:00Z', expected.length)).toEqual(expected);
  });

  it.each([
    ['30 2 * * ?', null, 'it has 5 fields'],
    ['0 0 0 * * *', 'weekday', 'day of month is `*` and weekday is `*`'],
    ['0 0 0 ? * ?', 'weekday', 'day of month is `?`'],
    ['0 0 0 ? * 0', 'weekday', '0 is outside of 1 to 7'],
    ['0 0 0 L-31 * ?', 'day of month', '`L-31` has no meaning'],
    ['0 0 0 L-0 * ?', 'day of month', '`L-0` has no meaning'],
    ['0 0 0 L-3L * ?', 'day of month', '`L-3L` has no meaning'],
    ['0 0 24 ? * *', 'hour', '24 is outside'],
    ['0 */0 * ? * *', 'minute', 'a step is at least 1'],
    ['0 0 0 ? * MON 2200', 'year', '2200 is outside of 1970 to 2099'],
    ['0 0 0 ? * MON 2030-2020', 'year', 'ends before it begins'],
    ['0 0 ? ? * *', 'hour', '`?` has no meaning'],
    ['0 0 0 ? * 2#6', 'weekday', '`2#6` has no meaning'],
  ])('%s is refused for its %s', (expression, field, reason) => {
    const [fault] = cronFaults(expression, 'UTC', 'quartz');
    expect(fault).toMatchObject({ field });
    expect(inEnglish(fault!.reason)).toContain(reason);
  });

  it.each(['0 0 0 30 2 ?', '0 0 0 30 2 ? 2099', '0 0 0 L-29 2 ?', '0 0 0 L-28 2 ? 2030'])(
    'end for a date that never comes: %s',
    (expression) => {
      const parsed = parseCron(expression, 'Europe/Berlin', { dialect: 'quartz' });
      expect(parsed.ok && everFires(parsed.rule)).toBe(false);
      expect(parsed.ok && parsed.rule.nextAfter(Date.UTC(2026, 0, 1))).toBeNull();
    },
  );

  it('end when their years are over', () => {
    const parsed = parseCron('0 0 0 1 1 ? 2026', 'Asia/Shanghai', { dialect: 'quartz' });
    expect(parsed.ok && nextFires(parsed.rule, Date.UTC(2025, 0, 1), 5)).toEqual([Date.parse('2025-12-31T16:00Z')]);
  });

  it('fire on days counted from the end of the month as a walk from day to day finds them', () => {
    const number = (min: number, max: number) => fc.integer({ min, max });
    const months = fc.oneof(fc.constant('*'), number(1, 12).map(String));
    fc.assert(
      fc.property(
        number(1, 30),
        fc.boolean(),
        months,
        number(Date.UTC(2019, 0, 1), Date.UTC(2031, 0, 1)),
        (back, isNearest, month, fromMs) => {
          const parsed = parseCron(`0 30 8 L-${back}${isNearest ? 'W' : ''} ${month} ?`, 'Asia/Shanghai', { dialect: 'quartz' });
          if (!parsed.ok) throw new Error(inEnglish(parsed.error.reason));
          const walked: number[] = [];
          const zoneMs = 8 * 3_600_000;
          for (let day = Math.floor((fromMs + zoneMs) / 86_400_000); walked.length < 4 && day < 365 * 80; day++) {
            const date = new Date(day * 86_400_000);
            if (month !== '*' && date.getUTCMonth() + 1 !== Number(month)) continue;
            const at = day * 86_400_000 + 8.5 * 3_600_000 - zoneMs;
            if (at > fromMs && isWalked(date, back, isNearest)) walked.push(at);
          }
          expect(nextFires(parsed.rule, fromMs, 4)).toEqual(walked);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('fire when cron-parser says that the same fires, for any fields and years', () => {
    const number = (min: number, max: number) => fc.integer({ min, max });
    const time = (max: number) =>
      fc.oneof(
        fc.constant('*'),
        number(0, max).map(String),
        number(1, 20).map((step) => `*/${step}`),
      );
    const weekday = fc.oneof(
      fc.tuple(number(0, 6), number(1, 5)).map(([day, nth]) => [`${day}#${nth}`, `${day + 1}#${nth}`]),
      number(0, 6).map((day) => [`${day}L`, `${day + 1}L`]),
      number(0, 6).map((day) => [`${day}`, `${day + 1}`]),
      fc.tuple(number(0, 3), number(3, 6)).map(([from, to]) => [`${from}-${to}`, `${from + 1}-${to + 1}`]),
    ) as fc.Arbitrary<[string, string]>;
    const from = number(Date.UTC(2019, 0, 1), Date.UTC(2031, 0, 1));
    const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'Asia/Kathmandu');
    fc.assert(
      fc.property(
        time(59),
        time(23),
        fc.oneof(fc.constant('*'), number(1, 12).map(String)),
        weekday,
        zone,
        from,
        (minute, hour, month, [unix, quartz], inZone, fromMs) => {
          const peer = CronExpressionParser.parse(`${minute} ${hour} * ${month} ${unix}`, { tz: inZone, currentDate: new Date(fromMs) });
          const theirs = peer.take(4).map((date) => date.getTime());
          const parsed = parseCron(`0 ${minute} ${hour} ? ${month} ${quartz} *`, inZone, { dialect: 'quartz' });
          if (!parsed.ok) throw new Error(inEnglish(parsed.error.reason));
          expect(nextFires(parsed.rule, fromMs, 4)).toEqual(theirs);
        },
      ),
      { numRuns: 150 },
    );
  });
});
