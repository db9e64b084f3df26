import { describe, expect, it } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import {
  type CalendarDays,
  nextFires,
  previewFires,
  readTimetable,
  type ScheduleRule,
  type Timetable,
  type TimetableRule,
} from './index.js';

const cron = (text: string): ScheduleRule => ({ kind: 'cron', cron: text, dialect: 'unix', gap: null, overlapHour: null });
const timetable = (rule: ScheduleRule, more: Partial<Timetable> = {}): Timetable => ({
  rule,
  zone: 'UTC',
  start: null,
  end: null,
  calendar: null,
  ...more,
});

function read(rule: ScheduleRule, more: Partial<Timetable> = {}): TimetableRule {
  const result = readTimetable(timetable(rule, more));
  if (!result.ok) throw new Error(result.faults.map(({ reason }) => inEnglish(reason)).join());
  return result.rule;
}
const told = (list: readonly number[]) => list.map((ms) => new Date(ms).toISOString().slice(0, 16));
const fires = (rule: TimetableRule, from: string, count: number) => told(nextFires(rule, Date.parse(from), count));

describe('a fixed rate', () => {
  it('is counted from its start in elapsed time, whenever the schedule was made', () => {
    const rule = read({ kind: 'fixed-rate', seconds: 5400 }, { start: '2026-03-28T23:00', zone: 'Europe/Berlin' });
    expect(fires(rule, '2026-01-01T00:00Z', 4)).toEqual(['2026-03-28T22:00', '2026-03-28T23:30', '2026-03-29T01:00', '2026-03-29T02:30']);
    expect(fires(rule, '2026-03-29T01:00Z', 1)).toEqual(['2026-03-29T02:30']);
  });

  it('without a start is counted from midnight of its zone', () => {
    expect(fires(read({ kind: 'fixed-rate', seconds: 86_400 }, { zone: 'Asia/Shanghai' }), '2026-05-01T00:00Z', 2)).toEqual([
      '2026-05-01T16:00',
      '2026-05-02T16:00',
    ]);
  });
});

describe('a fixed delay', () => {
  it('is counted from the end of the run before', () => {
    expect(fires(read({ kind: 'fixed-delay', seconds: 90 }), '2026-05-01T00:00:30Z', 1)).toEqual(['2026-05-01T00:02']);
  });

  it('that would end on a day off ends when the next working day begins', () => {
    const rule = read({ kind: 'fixed-delay', seconds: 7200 }, { calendar: workdays, zone: 'Asia/Shanghai' });
    expect(fires(rule, '2026-05-08T15:00Z', 1)).toEqual(['2026-05-08T17:00']); // a make-up Saturday
    expect(fires(rule, '2026-05-15T15:00Z', 1)).toEqual(['2026-05-17T16:00']);
  });
});

describe('a one-shot', () => {
  it.each([
    ['2026-05-01T08:00', '2026-05-01T00:00'],
    ['2026-05-01 08:00:00', '2026-05-01T00:00'],
    ['2026-05-01T08:00:00.000Z', '2026-05-01T08:00'],
    ['2026-05-01T08:00Z', '2026-05-01T08:00'],
    ['2026-05-01T08:00+02:00', '2026-05-01T06:00'],
    ['2026-05-01', '2026-04-30T16:00'],
  ])('at %s fires once', (at, expected) => {
    const rule = read({ kind: 'one-shot', at }, { zone: 'Asia/Shanghai' });
    expect(fires(rule, '2026-01-01T00:00Z', 5)).toEqual([expected]);
  });

  it('at a time that clocks leave out fires at the end of the gap, and at one that comes twice the first time', () => {
    expect(fires(read({ kind: 'one-shot', at: '2026-03-29T02:30' }, { zone: 'Europe/Berlin' }), '2026-01-01T00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
    ]);
    expect(fires(read({ kind: 'one-shot', at: '2026-10-25T02:30' }, { zone: 'Europe/Berlin' }), '2026-01-01T00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
    ]);
  });
});

describe('start and end', () => {
  it('bound every rule; a day as the end counts wholly', () => {
    const rule = read(cron('0 */6 * * *'), { start: '2026-05-01T06:00', end: '2026-05-02', zone: 'Asia/Shanghai' });
    expect(fires(rule, '2026-01-01T00:00Z', 99)).toEqual([
      '2026-04-30T22:00',
      '2026-05-01T04:00',
      '2026-05-01T10:00',
      '2026-05-01T16:00',
      '2026-05-01T22:00',
      '2026-05-02T04:00',
      '2026-05-02T10:00',
    ]);
  });

  it('are refused with everything else that is wrong, each by its key', () => {
    const result = readTimetable(timetable(cron('61 * * * *'), { zone: 'Mars/Base', start: '2026-02-30', end: 'soon' }));
    expect(!result.ok && result.faults.map(({ key }) => key)).toEqual(['zone', 'start', 'end', 'cron']);
    const turned = readTimetable(timetable(cron('* * * * *'), { start: '2026-05-02', end: '2026-05-01' }));
    expect(!turned.ok && turned.faults).toMatchObject([{ key: 'end', reason: { code: 'end-before-start' } }]);
  });
});

/** Labour Day 2026 in China: five days off, and the Saturday after it is worked. */
const workdays: CalendarDays = {
  weekend: [0, 6],
  excluded: new Map(['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04', '2026-05-05'].map((day) => [day, 'Labour Day'])),
  working: new Map([['2026-05-09', 'instead of 5 May']]),
};
const inShanghai = { calendar: workdays, zone: 'Asia/Shanghai' };
const days = (list: string[]) => list.map((at) => at.slice(5, 10));

describe('a calendar', () => {
  it('leaves days off out and takes make-up workdays in, by the date in the zone of the schedule', () => {
    expect(days(fires(read(cron('0 9 * * *'), inShanghai), '2026-04-29T12:00Z', 6))).toEqual([
      '04-30',
      '05-06',
      '05-07',
      '05-08',
      '05-09',
      '05-11',
    ]);
    expect(fires(read(cron('0 0 * * *'), inShanghai), '2026-04-30T12:00Z', 1)).toEqual(['2026-05-05T16:00']);
  });

  it('gives a rule for every working weekday its make-up workdays, and a rule for Saturdays or Mondays no other day', () => {
    expect(days(fires(read(cron('0 9 * * MON-FRI'), inShanghai), '2026-05-07T12:00Z', 3))).toEqual(['05-08', '05-09', '05-11']);
    expect(days(fires(read(cron('0 9 * * 1'), inShanghai), '2026-04-28T00:00Z', 2))).toEqual(['05-11', '05-18']);
    expect(days(fires(read(cron('0 9 * * SAT'), inShanghai), '2026-04-28T00:00Z', 1))).toEqual(['05-09']);
    const quartz: ScheduleRule = { kind: 'cron', cron: '0 0 9 ? * 2-6', dialect: 'quartz', gap: null, overlapHour: null };
    expect(days(fires(read(quartz, inShanghai), '2026-05-07T12:00Z', 3))).toEqual(['05-08', '05-09', '05-11']);
  });

  it('ends a rule whose every fire falls on a day off', () => {
    expect(fires(read(cron('0 9 * * SUN'), inShanghai), '2026-05-07T12:00Z', 3)).toEqual([]);
    expect(
      fires(read(cron('* * * * * *'), { calendar: { ...workdays, weekend: [0, 1, 2, 3, 4, 5, 6] } }), '2026-05-09T12:00Z', 1),
    ).toHaveLength(1);
  });

  it('applies to a fixed rate as well', () => {
    expect(
      days(fires(read({ kind: 'fixed-rate', seconds: 86_400 }, { ...inShanghai, start: '2026-04-30T08:00' }), '2026-04-01T00:00Z', 3)),
    ).toEqual(['04-30', '05-06', '05-07']);
  });
});

describe('the preview', () => {
  it('tells each day off once, with its reason, among the fires', () => {
    const planned = previewFires(read(cron('0 9,18 * * *'), inShanghai), Date.parse('2026-04-30T12:00Z'), 2);
    expect(planned.map(({ atMs, dayOff }) => [told([atMs])[0]!.slice(5, 10), dayOff])).toEqual([
      ...['05-01', '05-02', '05-03', '05-04', '05-05'].map((day) => [day, { code: 'day-excluded', name: 'Labour Day' }]).slice(0, 2),
      ['05-06', null],
      ['05-06', null],
    ]);
    const [, weekend] = previewFires(read(cron('0 9 * * *'), inShanghai), Date.parse('2026-05-14T12:00Z'), 3);
    expect(weekend).toEqual({ atMs: Date.parse('2026-05-16T01:00Z'), dayOff: { code: 'day-of-weekend' } });
  });

  it('has for fires what fires', () => {
    const rule = read(cron('0 9 * * MON-FRI'), inShanghai);
    const planned = previewFires(rule, Date.parse('2026-04-20T00:00Z'), 30).filter(({ dayOff }) => dayOff === null);
    expect(planned.map(({ atMs }) => atMs)).toEqual(nextFires(rule, Date.parse('2026-04-20T00:00Z'), 30));
  });
});
