import { describe, expect, it } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import { type CronRule, everFires, localDate, nextFires, parseCron } from './index.js';

function rule(expression: string, zone = 'UTC'): CronRule {
  const parsed = parseCron(expression, zone);
  if (!parsed.ok) throw new Error(`${expression}: ${inEnglish(parsed.error.reason)}`);
  return parsed.rule;
}

const fires = (expression: string, zone: string, from: string, count: number) =>
  nextFires(rule(expression, zone), Date.parse(from), count).map((ms) => new Date(ms).toISOString().slice(5, 16));

const localTimes = (expression: string, zone: string, from: string, count: number) =>
  nextFires(rule(expression, zone), Date.parse(from), count).map((ms) =>
    new Date(ms).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }),
  );

describe('cron expressions', () => {
  it.each([
    ['60 * * * *', 'minute', '60 is outside of 0 to 59'],
    ['0 24 * * *', 'hour', '24 is outside'],
    ['0 0 32 * *', 'day of month', '32 is outside of 1 to 31'],
    ['0 0 0 * *', 'day of month', '0 is outside'],
    ['0 0 * 13 *', 'month', '13 is outside'],
    ['0 0 * * 8', 'weekday', '8 is outside'],
    ['0 0 * * MOX', 'weekday', '`M`'],
    ['0 0 JAN * *', 'day of month', '`J`'],
    ['61 0 0 * * *', 'second', '61 is outside'],
    ['*/0 * * * *', 'minute', 'cannot be read'],
    ['5-1 * * * *', 'minute', 'cannot be read'],
    ['1,,2 * * * *', 'minute', 'cannot be read'],
    ['5/15 * * * *', 'minute', 'write `5-59/15`'],
    ['? * * * *', 'minute', '`?`'],
    ['0 0 * * +MON', 'weekday', '`+`'],
    ['0 0 * * 5#6', 'weekday', 'cannot be read'],
  ])('%s is refused for its %s', (expression, field, reason) => {
    const parsed = parseCron(expression, 'UTC');
    expect(parsed).toMatchObject({ ok: false, error: { field } });
    expect(!parsed.ok && inEnglish(parsed.error.reason)).toContain(reason);
  });

  it.each(['', '* * *', '* * * * * * *', '@daily', '2026-01-01T00:00:00'])('%j is refused for its number of fields', (expression) => {
    expect(parseCron(expression, 'UTC')).toMatchObject({ ok: false, error: { field: null } });
  });

  it.each(['Mars/Olympus', '+08:00', '', 'Asia/Shanghai '])('the zone %j is refused', (zone) => {
    expect(parseCron('0 0 * * *', zone)).toMatchObject({ ok: false, error: { field: 'zone' } });
  });

  it('know last days, nearest working days, n-th weekdays, names and the Quartz question mark', () => {
    expect(fires('0 0 L * *', 'UTC', '2026-02-01T00:00Z', 2)).toEqual(['02-28T00:00', '03-31T00:00']);
    expect(fires('0 0 15W * *', 'UTC', '2026-08-01T00:00Z', 1)).toEqual(['08-14T00:00']);
    expect(fires('0 0 ? * MON#2', 'UTC', '2026-01-01T00:00Z', 1)).toEqual(['01-12T00:00']);
    expect(fires('0 0 1 jan,JUL *', 'UTC', '2026-01-02T00:00Z', 1)).toEqual(['07-01T00:00']);
  });

  it('take a sixth field for seconds', () => {
    expect(nextFires(rule('*/20 * * * * *'), 0, 3)).toEqual([20_000, 40_000, 60_000]);
  });

  it('end for dates that never come', () => {
    expect(rule('0 0 30 2 *').nextAfter(0)).toBeNull();
    expect(everFires(rule('0 0 31 4,6,9,11 *'))).toBe(false);
    expect(everFires(rule('0 0 29 2 *'))).toBe(true);
    expect(nextFires(rule('0 0 30 2 *'), 0, 5)).toEqual([]);
  });
});

describe('cron where local time jumps', () => {
  it.each([
    ['America/New_York', '2026-03-07T05:00Z'],
    ['America/New_York', '2026-10-31T05:00Z'],
    ['Europe/Berlin', '2026-03-27T23:00Z'],
    ['Australia/Lord_Howe', '2026-04-03T13:00Z'],
  ])('fires at seven and nine local time in %s from %s', (zone, from) => {
    expect(localTimes('0 7,9 * * *', zone, from, 6)).toEqual(['07:00', '09:00', '07:00', '09:00', '07:00', '09:00']);
  });

  it('shifts a time that does not exist to the end of the gap, once', () => {
    expect(fires('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2)).toEqual(['03-29T01:00', '03-30T00:30']);
    expect(fires('30 2,14 * * *', 'Europe/Berlin', '2026-03-28T20:00Z', 2)).toEqual(['03-29T01:00', '03-29T12:30']);
    expect(fires('0 0 * * *', 'America/Sao_Paulo', '2018-11-03T04:00Z', 2)).toEqual(['11-04T03:00', '11-05T02:00']);
  });

  it('fires once, the first time, when a fixed time comes twice', () => {
    expect(fires('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual(['10-25T00:30', '10-26T01:30']);
    expect(fires('15,45 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 3)).toEqual(['10-25T00:15', '10-25T00:45', '10-26T01:15']);
  });

  it('goes on with elapsed time for intervals', () => {
    const halfHours = fires('*/30 * * * *', 'Europe/Berlin', '2026-10-24T23:45Z', 5);
    expect(halfHours).toEqual(['10-25T00:00', '10-25T00:30', '10-25T01:00', '10-25T01:30', '10-25T02:00']);
    const acrossGap = fires('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:15Z', 3);
    expect(acrossGap).toEqual(['03-29T00:30', '03-29T01:00', '03-29T01:30']);
  });
});

describe('the local date of an instant', () => {
  it('is the day in the zone, not in UTC', () => {
    expect(localDate(Date.parse('2026-10-24T18:30:00Z'), 'Asia/Shanghai')).toBe('2026-10-25');
    expect(localDate(Date.parse('2026-01-01T03:00:00Z'), 'America/New_York')).toBe('2025-12-31');
    expect(localDate(Date.parse('2026-02-03T12:00:00Z'), 'UTC')).toBe('2026-02-03');
  });
});
