import { describe, expect, it } from 'vitest';
import { type Arrivals, lastCompletable, readTimetable, type Timetable, type UpstreamNeed, upstreamDates } from './index.js';

const need = (fields: Partial<UpstreamNeed> = {}): UpstreamNeed => ({ project: null, workflow: 'billing', day: 0, hours: null, ...fields });
const self = (day = -1) => need({ workflow: null, day });
const days = (...list: string[]): Arrivals => ({ days: new Set(list), instants: [] });
const instants = (fromMs: number, count: number, stepMs = 3_600_000): Arrivals => ({
  days: new Set(),
  instants: Array.from({ length: count }, (_, index) => fromMs + index * stepMs),
});

interface Case extends Partial<Timetable> {
  needs: UpstreamNeed[];
  arrived: Arrivals[];
  since?: string;
}

function complete({ needs, arrived, since = '2026-05-01', ...timetable }: Case, from = '2026-05-01', to = '2026-05-10'): string[] {
  const read = readTimetable({
    rule: { kind: 'upstream', upstreams: needs },
    zone: 'UTC',
    start: null,
    end: null,
    calendar: null,
    ...timetable,
  });
  if (!read.ok) throw new Error('the timetable is valid');
  return upstreamDates({ rule: read.rule, needs, since, arrived }, from, to)
    .filter(({ isComplete }) => isComplete)
    .map(({ day }) => day);
}

describe('a date of upstreams', () => {
  it('is complete when every upstream has succeeded for it, each counted from its own day', () => {
    const needs = [need(), need({ workflow: 'clicks', day: -1 }), need({ workflow: 'ledger', day: -31 })];
    const arrived = [days('2026-05-02', '2026-05-03'), days('2026-05-01', '2026-05-03'), days('2026-04-01', '2026-04-02')];
    expect(complete({ needs, arrived })).toEqual(['2026-05-02']);
  });

  it('waits for its own run of the date before, but the first that counts for none', () => {
    const arrived = [days('2026-05-01', '2026-05-02', '2026-05-03'), days('2026-05-02')];
    expect(complete({ needs: [need(), self()], arrived })).toEqual(['2026-05-01', '2026-05-03']);
  });

  it('of its own runs counts dates, not days: after a rest the date before it', () => {
    const calendar = { weekend: [0, 6], excluded: new Map<string, string>(), working: new Map<string, string>() };
    const fridays = { needs: [need(), self()], arrived: [days('2026-05-01', '2026-05-02', '2026-05-04'), days('2026-05-01')], calendar };
    expect(complete(fridays)).toEqual(['2026-05-01', '2026-05-04']); // a Friday and a Monday
    const twoEarlier = {
      needs: [need(), self(-2)],
      arrived: [days('2026-05-04', '2026-05-05', '2026-05-06'), days('2026-05-01')],
      calendar,
    };
    expect(complete(twoEarlier)).toEqual(['2026-05-04', '2026-05-05']);
  });

  it.each([
    ['2026-05-02', 24, 'Europe/Berlin'],
    ['2026-03-29', 23, 'Europe/Berlin'],
    ['2026-10-25', 25, 'Europe/Berlin'],
    ['2026-05-02', 24, 'Asia/Kolkata'],
    ['2026-10-04', 23, 'Australia/Lord_Howe'],
  ])('needs of all hours of %s exactly %i in %s', (day, count, zone) => {
    const read = readTimetable({ rule: { kind: 'upstream', upstreams: [] }, zone, start: null, end: null, calendar: null });
    const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    const fromMs = read.ok ? read.rule.nextAfter(Date.parse(dayBefore) + 43_200_000)! : Number.NaN;
    const look = (arrived: Arrivals) => complete({ needs: [need({ hours: 'all' })], arrived: [arrived], zone, since: day }, day, day);
    expect(look(instants(fromMs, count))).toEqual([day]);
    expect(look(instants(fromMs + 900_000, count))).toEqual([day]);
    expect(look(instants(fromMs, count - 1))).toEqual([]);
    expect(look(instants(fromMs + 3_600_000, count))).toEqual([]);
    expect(look(instants(fromMs, count * 2, 1_800_000))).toEqual([day]); // twice an hour
  });

  it('is none before the first that counts, outside of start and end, or on a day off', () => {
    const all = days(...Array.from({ length: 9 }, (_, index) => `2026-05-0${index + 1}`));
    const calendar = { weekend: [], excluded: new Map([['2026-05-05', 'Labour Day']]), working: new Map<string, string>() };
    expect(complete({ needs: [need()], arrived: [all], since: '2026-05-04', start: '2026-05-02', end: '2026-05-07', calendar })).toEqual([
      '2026-05-04',
      '2026-05-06',
      '2026-05-07',
    ]);
  });

  it('fires when it begins in its zone at the earliest', () => {
    const rule = readTimetable({
      rule: { kind: 'upstream', upstreams: [need()] },
      zone: 'Asia/Shanghai',
      start: null,
      end: null,
      calendar: null,
    });
    const [date] = rule.ok
      ? upstreamDates({ rule: rule.rule, needs: [need()], since: '2026-05-01', arrived: [days()] }, '2026-05-01', '2026-05-01')
      : [];
    expect(date).toMatchObject({ fireAtMs: Date.parse('2026-04-30T16:00Z'), isComplete: false });
  });

  it('can be complete no later than its latest upstream allows', () => {
    expect(lastCompletable([need({ day: -3 }), need({ day: -1 }), self()], '2026-05-10')).toBe('2026-05-11');
  });
});
