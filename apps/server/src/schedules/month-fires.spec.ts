import { numbersOf, startOfDay } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { firesByDay } from './month-fires.js';
import { timetableRuleOf } from './next-fire.js';

const rule = (cron: string, zone = 'UTC') =>
  timetableRuleOf({
    rule: { kind: 'cron', cron, dialect: 'unix', gap: null, overlapHour: null },
    zone,
    start: null,
    end: null,
    calendar: null,
  });
const july = [Date.parse('2026-07-01T00:00:00Z'), Date.parse('2026-08-01T00:00:00Z')] as const;

describe('the fires of a month', () => {
  it('are listed by day where they are few', () => {
    const days = firesByDay(rule('0 6,18 * * MON'), 'UTC', ...july);
    expect([...days.keys()]).toEqual(['2026-07-06', '2026-07-13', '2026-07-20', '2026-07-27']);
    expect(days.get('2026-07-06')).toEqual({ count: 2, at: [Date.parse('2026-07-06T06:00:00Z'), Date.parse('2026-07-06T18:00:00Z')] });
  });

  it('fall on the days of the calendar, not on those of the schedule', () => {
    const days = firesByDay(rule('0 1 10 * *', 'Asia/Shanghai'), 'UTC', ...july);
    expect([...days.keys()]).toEqual(['2026-07-09']);
  });

  it('are told at their minute, also in the hours that another zone has on another day', () => {
    const [from, to] = [Date.parse('2026-11-30T20:00:00Z'), Date.parse('2026-12-02T00:00:00Z')];
    const days = firesByDay(rule('15 * * * *', 'Europe/Berlin'), 'UTC', from, to);
    expect(days.get('2026-11-30')!.at.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['20:15', '21:15', '22:15', '23:15']);
    expect(days.get('2026-12-01')).toEqual({ count: 24, at: [Date.parse('2026-12-01T00:15:00Z')] });
  });

  it('are counted without a walk where they are many', () => {
    const days = firesByDay(rule('* * * * * *'), 'UTC', ...july);
    expect(days.size).toBe(31);
    expect([...days.values()].every(({ count, at }) => count === 86_400 && at.length === 1)).toBe(true);
  });

  it('count only what is left of a day that has begun', () => {
    const days = firesByDay(rule('*/10 * * * * *'), 'UTC', Date.parse('2026-07-01T19:43:01Z'), Date.parse('2026-07-02T00:00:00Z'));
    expect([...days.values()]).toEqual([{ count: 5 + 6 * (16 + 4 * 60), at: [Date.parse('2026-07-01T19:43:10Z')] }]);
  });

  it.each(['*/10 8-17 * * *', '0 */2 * * *', '5,35 * * * SAT'])('of %s are as many as a walk finds', (expression) => {
    for (const [zone, calendarZone] of [
      ['UTC', 'Asia/Shanghai'],
      ['America/New_York', 'UTC'],
    ] as const) {
      const it = rule(expression, zone);
      let walked = 0;
      for (let at = it.nextAfter(july[0] - 1); at !== null && at < july[1]; at = it.nextAfter(at)) walked += 1;
      const counted = [...firesByDay(it, calendarZone, ...july).values()].reduce((sum, { count }) => sum + count, 0);
      expect(counted).toBe(walked);
    }
  });
});

describe('a field of time', () => {
  it('names its numbers', () => {
    expect(numbersOf('*/20', 59)).toEqual([0, 20, 40]);
    expect(numbersOf('1,8-10,9', 23)).toEqual([1, 8, 9, 10]);
    expect(numbersOf('10-20/5', 59)).toEqual([10, 15, 20]);
  });

  it('of a dense rule and of a rate are none on the days off of a calendar, and come on extra working days', () => {
    const calendar = { weekend: [0, 6], excluded: new Map([['2026-10-08', '']]), working: new Map([['2026-10-10', '']]) };
    const rules = [
      { kind: 'cron', cron: '*/10 * * * 1-5', dialect: 'unix', gap: null, overlapHour: null } as const,
      { kind: 'fixed-rate', seconds: 600 } as const,
    ];
    for (const rule of rules) {
      const timed = timetableRuleOf({ rule, zone: 'UTC', start: null, end: null, calendar });
      const days = firesByDay(timed, 'UTC', Date.parse('2026-10-07T00:00Z'), Date.parse('2026-10-12T00:00Z'));
      expect([...days].map(([day, { count }]) => [day, count])).toEqual([
        ['2026-10-07', 144],
        ['2026-10-09', 144],
        ['2026-10-10', 144],
      ]);
    }
  });
});

describe('a day', () => {
  it('begins where its zone says, also on one that has no midnight', () => {
    expect(new Date(startOfDay('2026-07-01', 'Asia/Shanghai')).toISOString()).toBe('2026-06-30T16:00:00.000Z');
    expect(new Date(startOfDay('2026-07-01', 'America/New_York')).toISOString()).toBe('2026-07-01T04:00:00.000Z');
    expect(new Date(startOfDay('2025-09-07', 'America/Santiago')).toISOString()).toBe('2025-09-07T04:00:00.000Z');
  });
});
