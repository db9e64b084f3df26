import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import { type CronRule, type MisfirePolicy, nextFires, parseCron, planFires } from './index.js';

function rule(expression: string, zone = 'UTC'): CronRule {
  const parsed = parseCron(expression, zone);
  if (!parsed.ok) throw new Error(inEnglish(parsed.error.reason));
  return parsed.rule;
}

const at = (text: string) => Date.parse(text);
const told = (list: number[]) => list.map((ms) => new Date(ms).toISOString().slice(11, 16));
const hourly = rule('0 * * * *');
const downtime = { rule: hourly, nextFireAtMs: at('2026-05-01T01:00Z'), nowMs: at('2026-05-01T05:30Z') };

vi.setConfig({ testTimeout: 30_000 });

describe('planning the fires of a due schedule', () => {
  it.each([
    ['skip', 3, [], true],
    ['run-once', 3, ['05:00'], true],
    ['run-all', 3, ['03:00', '04:00', '05:00'], true],
    ['run-all', 10, ['01:00', '02:00', '03:00', '04:00', '05:00'], false],
  ] as const)('after a downtime with %s (max %i)', (policy, max, expected, skippedSome) => {
    const plan = planFires({ ...downtime, policy: { policy, max } });
    expect(told(plan.fireAtMs)).toEqual(expected);
    expect(plan.skippedSome).toBe(skippedSome);
    expect(plan.nextFireAtMs).toBe(at('2026-05-01T06:00Z'));
  });

  it('runs a fire on time under every policy', () => {
    for (const policy of ['skip', 'run-once', 'run-all'] as const) {
      const nowMs = at('2026-05-01T01:00:00.250Z');
      const plan = planFires({ ...downtime, nowMs, policy: { policy, max: 1 } });
      expect(told(plan.fireAtMs)).toEqual(['01:00']);
    }
  });

  it('lets a fire on time make up for the missed ones under run-once', () => {
    const plan = planFires({ ...downtime, nowMs: at('2026-05-01T05:00:01Z'), policy: { policy: 'run-once', max: 1 } });
    expect(told(plan.fireAtMs)).toEqual(['05:00']);
    expect(plan.skippedSome).toBe(true);
  });

  it('does nothing before its time', () => {
    const plan = planFires({ ...downtime, nowMs: downtime.nextFireAtMs - 1, policy: { policy: 'run-all', max: 9 } });
    expect(plan).toEqual({ fireAtMs: [], nextFireAtMs: downtime.nextFireAtMs, skippedSome: false });
  });

  it('is bounded for a schedule by the second after a year of downtime', () => {
    const nowMs = at('2027-05-01T01:00Z');
    const everySecond = rule('* * * * * *');
    const plan = planFires({
      rule: everySecond,
      nextFireAtMs: downtime.nextFireAtMs,
      nowMs,
      policy: { policy: 'run-all', max: 5 },
      onTimeSeconds: 1,
    });
    expect(plan.fireAtMs).toHaveLength(7);
    expect(plan.fireAtMs.at(-1)).toBe(nowMs);
  });

  it('agrees with the plain list of fires, for any rule, downtime and policy', () => {
    const rules = ['*/7 * * * *', '0 7,9 * * *', '30 2 * * *', '*/20 2 * * *', '15 0 1 * *'].map((text) => rule(text, 'Europe/Berlin'));
    const policies = fc.record<MisfirePolicy>({
      policy: fc.constantFrom('skip', 'run-once', 'run-all'),
      max: fc.integer({ min: 1, max: 6 }),
    });
    const start = fc.integer({ min: at('2026-03-20T00:00Z'), max: at('2026-10-28T00:00Z') });
    const awayMs = fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 3 * 86_400_000 }));
    fc.assert(
      fc.property(fc.constantFrom(...rules), policies, start, awayMs, (drawn, policy, startMs, lateMs) => {
        const [nextFireAtMs] = nextFires(drawn, startMs, 1) as [number];
        const nowMs = nextFireAtMs + lateMs;
        const plan = planFires({ rule: drawn, nextFireAtMs, nowMs, policy });
        const due = nextFires(drawn, nextFireAtMs - 1, 700).filter((ms) => ms <= nowMs);
        const onTime = due.filter((ms) => nowMs - ms <= 60_000);
        const missed = due.filter((ms) => nowMs - ms > 60_000);
        const expected = { skip: [], 'run-once': onTime.length > 0 ? [] : missed.slice(-1), 'run-all': missed.slice(-policy.max) };
        expect(plan.fireAtMs).toEqual([...expected[policy.policy], ...onTime]);
        expect(plan.nextFireAtMs).toBeGreaterThan(nowMs);
        expect(plan.skippedSome).toBe(plan.fireAtMs.length < due.length);
      }),
      { numRuns: 50 },
    );
  });
});
