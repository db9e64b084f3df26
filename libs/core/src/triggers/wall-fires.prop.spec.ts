import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import { type GapPolicy, nextFires, numbersOf, type OverlapHourPolicy, parseCron, wallClock } from './index.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Instants shortly before clocks are changed: by an hour, by half an hour, at midnight, by a whole day, forward and back. */
const changes: [string, string][] = [
  ['Europe/Berlin', '2026-03-28T22:00Z'],
  ['Europe/Berlin', '2026-10-24T22:00Z'],
  ['America/New_York', '2027-03-14T04:00Z'],
  ['America/New_York', '2026-11-01T03:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T12:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T12:00Z'],
  ['America/Santiago', '2026-09-06T01:00Z'],
  ['America/Santiago', '2026-04-05T00:00Z'],
  ['Pacific/Apia', '2011-12-30T06:00Z'],
  ['Africa/Casablanca', '2026-02-14T23:00Z'],
];
const number = (max: number) => fc.integer({ min: 0, max });
const field = (max: number) =>
  fc.oneof(
    fc.constant('*'),
    number(max).map(String),
    fc.uniqueArray(number(max), { minLength: 2, maxLength: 3 }).map((list) => list.join(',')),
    fc.integer({ min: 1, max: 20 }).map((step) => `*/${step}`),
  );
const hourField = fc.oneof(field(23), fc.constantFrom('1', '2', '1,2,3', '0-4', '0'));

interface Drawn {
  minute: string;
  hour: string;
  gap: GapPolicy | null;
  overlapHour: OverlapHourPolicy | null;
}

/** Every minute of the window, one by one: what the policies say, without any searching. */
function byEveryMinute({ minute, hour, ...given }: Drawn, zone: string, fromMs: number, toMs: number): number[] {
  const [minutes, hours] = [new Set(numbersOf(minute, 59)), new Set(numbersOf(hour, 23))];
  const isFixed = !/[*/]/.test(minute + hour);
  const gap = given.gap ?? (isFixed ? 'shift' : 'skip');
  const overlapHour = given.overlapHour ?? (isFixed ? 'once' : 'twice');
  const matches = (wall: number) => minutes.has(new Date(wall).getUTCMinutes()) && hours.has(new Date(wall).getUTCHours());
  const fires: number[] = [];
  let latestWall = wallClock(fromMs - 3 * hourMs - minuteMs, zone);
  for (let at = fromMs - 3 * hourMs; at <= toMs; at += minuteMs) {
    const wall = wallClock(at, zone);
    const isAgain = wall <= latestWall;
    let isLeftOut = false;
    for (let skipped = latestWall + minuteMs; skipped < wall; skipped += minuteMs) isLeftOut ||= matches(skipped);
    const fits = matches(wall) && (!isAgain || overlapHour === 'twice');
    if (at > fromMs && (fits || (isLeftOut && gap === 'shift'))) fires.push(at);
    latestWall = Math.max(latestWall, wall);
  }
  return fires;
}

describe('fires where clocks are changed', () => {
  it('are those that the policies give minute by minute, for any times of day and any policy', () => {
    let found = 0;
    const drawn = fc.record<Drawn>({
      minute: field(59),
      hour: hourField,
      gap: fc.constantFrom('shift', 'skip', null),
      overlapHour: fc.constantFrom('once', 'twice', null),
    });
    fc.assert(
      fc.property(fc.constantFrom(...changes), drawn, fc.integer({ min: 0, max: 5 * 60 }), ([zone, start], rule, minutes) => {
        const fromMs = Date.parse(start) + minutes * minuteMs;
        const toMs = fromMs + 6 * hourMs;
        const parsed = parseCron(`${rule.minute} ${rule.hour} * * *`, zone, rule);
        if (!parsed.ok) throw new Error(inEnglish(parsed.error.reason));
        const expected = byEveryMinute(rule, zone, fromMs, toMs);
        const fires = nextFires(parsed.rule, fromMs, expected.length + 1);
        expect(fires.filter((at) => at <= toMs)).toEqual(expected);
        found += expected.length;
      }),
      { numRuns: 400 },
    );
    expect(found).toBeGreaterThan(1000);
  });
});
