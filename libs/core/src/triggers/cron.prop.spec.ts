import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import { type CronRule, nextFires, parseCron } from './index.js';

const zones = ['UTC', 'Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu'];
const zone = fc.constantFrom(...zones);
/** Years with summer time in some of the zones, and Lord Howe's jumps of half an hour. */
const instant = fc.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2031, 0, 1) });

/** One field: open, a number, a list, a range or a step. */
const field = (min: number, max: number) => {
  const number = fc.integer({ min, max });
  const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    { weight: 3, arbitrary: number.map(String) },
    { weight: 1, arbitrary: fc.uniqueArray(number, { minLength: 2, maxLength: 3 }).map((list) => list.join(',')) },
    { weight: 1, arbitrary: range },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: Math.min(15, max) }).map((step) => `*/${step}`) },
  );
};
const expression = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6)).map((fields) => fields.join(' '));

function rule(text: string, inZone: string): CronRule {
  const parsed = parseCron(text, inZone);
  if (!parsed.ok) throw new Error(`${text}: ${inEnglish(parsed.error.reason)}`);
  return parsed.rule;
}

const offsets = new Map(zones.map((name) => [name, new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })]));
const offsetAt = (ms: number, inZone: string) =>
  offsets
    .get(inZone)!
    .formatToParts(ms)
    .find((part) => part.type === 'timeZoneName')!.value;
const threeHoursMs = 3 * 3_600_000;
/** The two libraries read jumps of local time differently; ours is pinned by example in cron.spec.ts. */
const isNearJump = (ms: number, inZone: string) => offsetAt(ms - threeHoursMs, inZone) !== offsetAt(ms + threeHoursMs, inZone);

/** The peer's next fires; it gives up with an error where its search takes too many steps, which is its limit and not a difference. */
function peerFires(text: string, inZone: string, fromMs: number, count: number): number[] {
  const peer = CronExpressionParser.parse(text, { tz: inZone, currentDate: new Date(fromMs) });
  const list: number[] = [];
  try {
    while (list.length < count) list.push(peer.next().getTime());
  } catch (error) {
    expect(String(error)).toContain('loop limit exceeded');
  }
  return list;
}

vi.setConfig({ testTimeout: 30_000 });

describe('fires', () => {
  it('agree with cron-parser for ordinary expressions away from jumps of local time', () => {
    let compared = 0;
    fc.assert(
      fc.property(expression, zone, instant, (text, inZone, fromMs) => {
        const theirs = peerFires(text, inZone, fromMs, 10);
        fc.pre(theirs.length > 0);
        const ours = nextFires(rule(text, inZone), fromMs, 10);
        const horizonMs = Math.min(ours.at(-1)!, theirs.at(-1)!);
        const comparable = (list: number[]) => list.filter((ms) => ms <= horizonMs && !isNearJump(ms, inZone));
        expect(comparable(ours)).toEqual(comparable(theirs));
        compared += comparable(ours).length;
      }),
      { numRuns: 120 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  it('always advance, and the one after any instant is the first of the list after it', () => {
    fc.assert(
      fc.property(expression, zone, instant, (text, inZone, fromMs) => {
        const parsed = rule(text, inZone);
        const list = nextFires(parsed, fromMs, 8);
        let lastMs = fromMs;
        for (const fireMs of list) {
          expect(fireMs).toBeGreaterThan(lastMs);
          expect(parsed.nextAfter(fireMs - 1)).toBe(fireMs);
          expect(parsed.nextAfter(lastMs)).toBe(fireMs);
          lastMs = fireMs;
        }
      }),
      { numRuns: 150 },
    );
  });

  it('come from no text at all without an answer: a rule or the field and the reason', () => {
    const piece = fc.constantFrom('*', '/', '-', ',', 'L', 'W', '#', '?', '5', '61', 'MON', 'JAN', ' ', ' ', ' ', '@', '中');
    const garbage = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(garbage, zone, (text, inZone) => {
        const parsed = parseCron(text, inZone);
        if (parsed.ok) expect(nextFires(parsed.rule, 0, 2).length).toBeLessThanOrEqual(2);
        else expect(inEnglish(parsed.error.reason).length).toBeGreaterThan(5);
      }),
    );
  });
});
