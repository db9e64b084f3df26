import { describe, expect, it } from 'vitest';
import { aNode, aRequest, aTurn, requestsAlike, someResources } from '../fixtures/turn.fixture.js';
import type { PlacementRequest } from '../placement-request.js';
import type { PlacementTurnInput } from '../placement-turn.js';
import { placeTurn } from '../turn/place-turn.js';
import type { LimitSnapshot } from './limit-snapshot.js';

const aLimit = (id: string, changes: Partial<LimitSnapshot> = {}): LimitSnapshot => ({
  ...{ id, kind: 'limit', name: id, slots: 1, taken: 0, holders: [], holderCount: 0 },
  ...changes,
});
const taking = (id: string, takes: Record<string, number>, changes: Partial<PlacementRequest> = {}) =>
  aRequest(id, { takes: Object.entries(takes).map(([limit, slots]) => ({ limit, slots })), ...changes });
const decide = (limits: LimitSnapshot[], requests: PlacementRequest[], changes: Partial<PlacementTurnInput> = {}) =>
  placeTurn(aTurn({ nodes: [aNode('n')], limits, requests, nowMs: 100_000, ageingSeconds: 60, ...changes }));
const placed = (result: ReturnType<typeof placeTurn>) => result.placements.map(({ taskRunId }) => taskRunId);

describe('limits in a turn', () => {
  it('let as many pass as have slots, and tell the others who holds them', () => {
    const holder = { taskRunId: 'x', runId: '0000-12345678', workflow: 'churn', task: 'train', slots: 1 };
    const limit = aLimit('gpu-a', { slots: 3, taken: 1, holders: [holder], holderCount: 1 });
    const result = decide([limit], requestsAlike(4, { takes: [{ limit: 'gpu-a', slots: 1 }] }));
    expect(placed(result)).toHaveLength(2);
    const full = decide([{ ...limit, slots: 1 }], [taking('t', { 'gpu-a': 1 })]);
    expect(full.waits).toMatchObject([
      {
        code: 'limit-full',
        reason: 'limit gpu-a full: 1 of 1, held by churn/train (run 12345678)',
        values: { limits: [{ id: 'gpu-a', code: 'full', slots: 1, taken: 1, asks: 1, holders: [holder], more: 0 }] },
      },
    ]);
  });

  it('are taken all or none, and those without a limit are never held up', () => {
    const young = { readyAtMs: 99_000 };
    const requests = [taking('1', { a: 1, b: 1 }, young), taking('2', { a: 1 }, young), aRequest('3', young)];
    const result = decide([aLimit('a'), aLimit('b', { taken: 1 })], requests);
    expect(placed(result)).toEqual(['2', '3']);
  });

  it('keep free slots for a request that asks for more than are free: small ones never starve it', () => {
    const limits = [aLimit('a', { slots: 2, taken: 1 })];
    const result = decide(limits, [taking('large', { a: 2 }, { readyAtMs: 0 }), taking('small', { a: 1 }, { readyAtMs: 1 })]);
    expect(placed(result)).toEqual([]);
    expect(result.waits[1]!.reason).toContain('kept for what came before');
  });

  it('keep one share of each for a request that has waited a minute for another limit, and none before', () => {
    const limits = [aLimit('full', { taken: 1 }), aLimit('free', { slots: 2 })];
    const requests = (readyAtMs: number) => [
      taking('1', { full: 1, free: 1 }, { readyAtMs }),
      ...['2', '3', '4'].map((id) => taking(id, { free: 1 }, { readyAtMs: 99_000 })),
    ];
    expect(placed(decide(limits, requests(98_000)))).toEqual(['2', '3']);
    expect(placed(decide(limits, requests(39_000)))).toEqual(['2']);
  });

  it('keep nothing for a request that asks for more than there ever is', () => {
    const result = decide([aLimit('a', { slots: 2 })], [taking('1', { a: 3 }, { readyAtMs: 0 }), taking('2', { a: 2 }, { readyAtMs: 1 })]);
    expect(placed(result)).toEqual(['2']);
    expect(result.waits[0]!.reason).toContain('limit a has 2 and this asks for 3; raise it, or ask for less');
  });

  it('leave slots to a request of another pool that waits longer, not to a later one', () => {
    const awaited = { slots: 2, priority: 0, readyAtMs: 30_000 };
    const limits = [aLimit('a', { slots: 2, taken: 0, awaited })];
    expect(placed(decide(limits, [taking('later', { a: 1 }, { readyAtMs: 40_000 })]))).toEqual([]);
    expect(placed(decide(limits, [taking('earlier', { a: 1 }, { readyAtMs: 20_000 })]))).toEqual(['earlier']);
  });

  it('allow no more starts than their rate, and tell when the next one is', () => {
    const rate = { starts: 2, seconds: 60, started: 1, nextAtMs: null };
    const limit = aLimit('api', { slots: null, rate });
    const alike = requestsAlike(3, { takes: [{ limit: 'api', slots: 1 }] });
    expect(placed(decide([limit], alike))).toHaveLength(1);
    const spent = decide([{ ...limit, rate: { ...rate, started: 2, nextAtMs: 130_000 } }], alike);
    expect(spent.waits[0]).toMatchObject({ code: 'limit-rate', reason: expect.stringContaining('2 starts in 60 s') });
    expect(spent.waits[0]!.values.limits![0]).toMatchObject({ code: 'rate', starts: 2, nextAt: '1970-01-01T00:02:10.000Z' });
  });

  it('hold a project to its quota, in the words of the resource', () => {
    const quota = aLimit('p cpuMillis', { kind: 'quota', name: 'growth', resource: 'cpuMillis', slots: 2000, taken: 1500 });
    const result = decide([quota], [taking('t', { 'p cpuMillis': 1000 }, { resources: someResources({ cpuMillis: 1000 }) })]);
    expect(result.waits[0]!.reason).toBe('quota of project growth full: 1.5 cores of 2 cores');
  });

  it('do not hide that no node could ever run a task', () => {
    const request = taking('t', { a: 1 }, { resources: someResources({ gpuCount: 8 }) });
    expect(decide([aLimit('a', { taken: 1 })], [request]).waits[0]!.code).toBe('infeasible');
  });

  it('are never held by what is sent ahead: such a task waits for room', () => {
    const node = aNode('n', {
      maxAttempts: 1,
      heldAttempts: 1,
      takesPrefetch: true,
      endingSoon: { attempts: 1, resources: someResources() },
    });
    const requests = [taking('limited', { a: 1 }, { expectedSeconds: 0.1 }), aRequest('other', { expectedSeconds: 0.1, readyAtMs: 1 })];
    const policy = { selector: 'random' as const, prefetch: 2 };
    expect(decide([aLimit('a')], requests, { nodes: [node], policy }).prefetches).toEqual([]);
    expect(decide([], requests.slice(1), { nodes: [node], policy }).prefetches).toHaveLength(1);
  });
});

describe('ageing', () => {
  const order = (requests: PlacementRequest[], ageingSeconds?: number) =>
    placed(placeTurn(aTurn({ nodes: [aNode('n')], requests, ...(ageingSeconds ? { ageingSeconds } : {}) })));

  it('lets a minute of waiting count as one point of priority', () => {
    const low = aRequest('low', { priority: 0, readyAtMs: 0 });
    const high = (minutes: number) => aRequest('high', { priority: 10, readyAtMs: minutes * 60_000 });
    expect(order([low, high(9)], 60)).toEqual(['high', 'low']);
    expect(order([low, high(11)], 60)).toEqual(['low', 'high']);
  });

  it('replays turns of before it was there as they were', () => {
    const low = aRequest('low', { priority: 0, readyAtMs: 0 });
    expect(order([low, aRequest('high', { priority: 1, readyAtMs: 9_000_000 })])).toEqual(['high', 'low']);
  });
});
