import { describe, expect, it } from 'vitest';
import { FirePlanner } from './fire-planner.js';

const at = (text: string) => Date.parse(text);
const nowMs = at('2026-05-01T05:00:00.200Z');
const hourly = {
  kind: 'cron' as const,
  rule: {},
  starts: null,
  ends: null,
  calendar: null,
  jitterMs: 0,
  heldFromMs: null,
  cron: '0 * * * *',
  zone: 'UTC',
  misfire: { policy: 'run-once' as const, max: 1 },
  nextFireAtMs: at('2026-05-01T05:00Z'),
};

describe('planning the schedules of a tick', () => {
  it('plans equal and different schedules as if each were alone, in their order', () => {
    const daily = { ...hourly, cron: '0 13 * * *', zone: 'Asia/Shanghai' };
    const late = { ...hourly, nextFireAtMs: at('2026-05-01T02:00Z'), misfire: { policy: 'run-all' as const, max: 5 } };
    const together = new FirePlanner().planAll([hourly, daily, hourly, late, daily], nowMs);
    const alone = [hourly, daily, hourly, late, daily].map((schedule) => new FirePlanner().planAll([schedule], nowMs)[0]);
    expect(together).toEqual(alone);
    expect(together[1]).toMatchObject({ fireAtMs: [at('2026-05-01T05:00Z')], nextFireAtMs: at('2026-05-02T05:00Z') });
    expect(together[3]!.fireAtMs).toHaveLength(4);
  });

  it('tells apart what differs in the misfire policy or the fire alone', () => {
    const missed = { ...hourly, nextFireAtMs: at('2026-05-01T03:00Z') };
    const plans = new FirePlanner().planAll([missed, { ...missed, misfire: { policy: 'run-all', max: 2 } }, hourly], nowMs);
    expect(plans.map(({ fireAtMs }) => fireAtMs.length)).toEqual([1, 3, 1]);
  });

  it('gives the same plan for a rule that it has read before', () => {
    const planner = new FirePlanner();
    const hourLater = { ...hourly, nextFireAtMs: at('2026-05-01T06:00Z') };
    planner.planAll([hourly], nowMs);
    expect(planner.planAll([hourLater], at('2026-05-01T06:00:01Z'))[0]).toMatchObject({
      fireAtMs: [at('2026-05-01T06:00Z')],
      nextFireAtMs: at('2026-05-01T07:00Z'),
    });
  });

  it('puts a schedule to rest whose rule cannot be read', () => {
    expect(new FirePlanner().planAll([{ ...hourly, zone: 'Nowhere/Else' }], nowMs)).toEqual([{ fireAtMs: [], nextFireAtMs: null }]);
  });

  it('tells what is late by the time that jitter gave a fire, and plans no fire of another one before its own', () => {
    const every10Seconds = { ...hourly, cron: '*/10 * * * * *', nextFireAtMs: at('2026-05-01T04:59:05Z') - 5000, jitterMs: 55_000 };
    const [plan] = new FirePlanner().planAll([every10Seconds], at('2026-05-01T04:59:55Z'));
    expect(plan).toMatchObject({ fireAtMs: [at('2026-05-01T04:59:00Z')], nextFireAtMs: at('2026-05-01T04:59:10Z') });
  });

  it('treats what was held as late but not as missed, up to a hundred fires', () => {
    const held = {
      ...hourly,
      misfire: { policy: 'skip' as const, max: 1 },
      nextFireAtMs: at('2026-05-01T02:00Z'),
      heldFromMs: at('2026-05-01T02:00Z'),
    };
    expect(new FirePlanner().planAll([held], nowMs)[0]!.fireAtMs).toHaveLength(4);
    const [many] = new FirePlanner().planAll([{ ...held, cron: '* * * * * *' }], nowMs);
    expect(many!.fireAtMs).toHaveLength(100);
    expect(many!.fireAtMs.at(-1)).toBe(at('2026-05-01T05:00:00Z'));
  });

  it('plans a fixed delay one fire at a time, late or by `skip` after one more pause', () => {
    const delay = { ...hourly, kind: 'fixed-delay' as const, cron: null, rule: { seconds: 60 } };
    expect(new FirePlanner().planAll([delay], nowMs)).toEqual([{ fireAtMs: [delay.nextFireAtMs], nextFireAtMs: null }]);
    const missed = { ...delay, nextFireAtMs: at('2026-05-01T03:00Z') };
    expect(new FirePlanner().planAll([missed], nowMs)[0]!.fireAtMs).toEqual([missed.nextFireAtMs]);
    expect(new FirePlanner().planAll([{ ...missed, misfire: { policy: 'skip', max: 1 } }], nowMs)).toEqual([
      { fireAtMs: [], nextFireAtMs: nowMs + 60_000 },
    ]);
  });
});
