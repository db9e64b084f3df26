import { describe, expect, it } from 'vitest';
import { aNode, aRequest, aTurn, requestsAlike, someResources } from '../fixtures/turn.fixture.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import { selectorNames } from '../placement-policy.js';
import type { PlacementRequest } from '../placement-request.js';
import { placeTurn } from './place-turn.js';

const oneCore = { resources: someResources({ cpuMillis: 1000 }) };
const fullNode = (id: string) => aNode(id, { reserved: someResources({ cpuMillis: 4000 }) });

function waitOf(nodes: NodeSnapshot[], request: Partial<PlacementRequest> = oneCore) {
  const [wait] = placeTurn(aTurn({ nodes, requests: [aRequest('t', request)] })).waits;
  if (wait === undefined) throw new Error('the request was placed');
  return wait;
}

describe('placeTurn: order', () => {
  it('serves by priority, then rank, then age, then id', () => {
    const requests = [
      aRequest('young', { readyAtMs: 9 }),
      aRequest('b-old', { readyAtMs: 1 }),
      aRequest('a-old', { readyAtMs: 1 }),
      aRequest('long-path', { readyAtMs: 9, rank: 5 }),
      aRequest('urgent', { readyAtMs: 99, priority: 1 }),
    ];
    const { placements } = placeTurn(aTurn({ nodes: [aNode('a')], requests }));
    expect(placements.map((each) => each.taskRunId)).toEqual(['urgent', 'long-path', 'a-old', 'b-old', 'young']);
    expect(placements.map((each) => each.decision.ordinal)).toEqual([0, 1, 2, 3, 4]);
  });

  it('gives the last room to the first in order', () => {
    const requests = [aRequest('later', { ...oneCore, readyAtMs: 2 }), aRequest('first', { ...oneCore, readyAtMs: 1 })];
    const node = aNode('a', { reserved: someResources({ cpuMillis: 3000 }) });
    const { placements, waits } = placeTurn(aTurn({ nodes: [node], requests }));
    expect(placements.map((each) => each.taskRunId)).toEqual(['first']);
    expect(waits.map((each) => each.taskRunId)).toEqual(['later']);
  });

  it('stops after maxDecisions and says nothing about those it did not reach', () => {
    const { placements, waits } = placeTurn(aTurn({ nodes: [aNode('a')], requests: requestsAlike(5), maxDecisions: 2 }));
    expect(placements).toHaveLength(2);
    expect(waits).toEqual([]);
  });

  it('ends early when its time is over, yet never before its first decision', () => {
    const requests = [aRequest('impossible', { priority: 1, resources: someResources({ gpuCount: 1 }) }), ...requestsAlike(5)];
    const input = aTurn({ nodes: [aNode('a')], requests });
    const { placements, waits, endedEarly } = placeTurn(input, () => true);
    expect(placements.map((each) => each.taskRunId)).toEqual(['task-000000']);
    expect(waits.map((each) => each.taskRunId)).toEqual(['impossible']);
    expect(endedEarly).toBe(true);
    expect(placeTurn(input, () => false)).toEqual(placeTurn(input));
  });
});

describe('placeTurn: waits', () => {
  it('waits for a first node in an empty pool', () => {
    expect(waitOf([])).toMatchObject({ code: 'no-node', reason: 'the pool has no node yet; starts when one joins', removed: [] });
  });

  it('is busy, not infeasible, when the nodes that fit are full', () => {
    const small = aNode('small', { capacity: someResources({ cpuMillis: 500 }) });
    const { code, reason, removed } = waitOf([fullNode('a'), fullNode('b'), small]);
    expect(code).toBe('no-capacity');
    expect(reason).toBe(
      'every node that fits is full: node-a 4 of 4 cores reserved, node-b 4 of 4 cores reserved; starts when one has room',
    );
    expect(removed.map(({ filter, count, examples }) => [filter, count, examples])).toEqual([
      ['size', 1, ['node-small']],
      ['capacity', 2, ['node-a', 'node-b']],
    ]);
  });

  it('names three full nodes and counts the rest', () => {
    const { reason, removed } = waitOf(['a', 'b', 'c', 'd', 'e'].map(fullNode));
    expect(reason).toContain('node-c 4 of 4 cores reserved, and 2 more');
    expect(removed[0]).toMatchObject({ count: 5, examples: ['node-a', 'node-b', 'node-c'] });
  });

  it('is infeasible only when no registered node could ever run it, offline and draining ones included', () => {
    const asked = { resources: someResources({ cpuMillis: 8000 }), labels: 'os = linux', runtime: 'python3' };
    const { code, reason } = waitOf([aNode('a'), aNode('w', { platform: 'win32' }), aNode('n', { runtimes: ['node'] })], asked);
    expect(code).toBe('infeasible');
    expect(reason).toContain('asks 8 cores, runtime python3, its labels');
    expect(reason).toContain('node-a has 4 cores of 8 asked, node-n has no python3 (linux, with node), node-w does not match os = linux');
    expect(reason).toContain('add a node that fits');
    for (const away of [{ offline: true }, { draining: true }, { cordoned: true }]) {
      const large = aNode('large', { capacity: someResources({ cpuMillis: 8000 }), ...away });
      expect(waitOf([aNode('a'), large], asked).code).toBe('no-eligible-node');
    }
  });

  it('waits for a node that is out of service and says in which way', () => {
    const nodes = [aNode('a', { cordoned: true }), aNode('b', { reachable: false })];
    expect(waitOf(nodes).reason).toBe(
      'every node that fits is out of service: node-a is cordoned, node-b has sent no heartbeat lately; starts when one is back',
    );
  });

  it('gives beside each text what it holds: the nodes in the way, with what is in the way there', () => {
    const full = ['a', 'b', 'c', 'd'].map(fullNode);
    const reserved = { code: 'reserved', resource: 'cpuMillis', reserved: 4000, capacity: 4000 };
    expect(waitOf(full).values).toEqual({ nodes: ['node-a', 'node-b', 'node-c'].map((node) => ({ node, obstacle: reserved })), more: 1 });
    const wide = { resources: someResources({ cpuMillis: 64_000 }), runtime: 'python3' };
    expect(waitOf([aNode('a', { runtimes: ['python3'] })], wide).values).toEqual({
      nodes: [{ node: 'node-a', obstacle: { code: 'too-small', resource: 'cpuMillis', capacity: 4000, asked: 64_000 } }],
      more: 0,
      asks: { ...someResources({ cpuMillis: 64_000 }), runtime: 'python3', labels: false },
    });
    expect(waitOf([]).values).toEqual({});
  });

  it('waits for a loaded node to have less to do and says what load and what maximum', () => {
    const nodes = [aNode('a', { cordoned: true }), aNode('b', { cpuPercent: 97, maxCpuPercent: 80 }), aNode('c', { performance: 0 })];
    expect(waitOf(nodes)).toEqual({
      taskRunId: expect.any(String),
      code: 'overloaded',
      reason:
        "every node in service that fits has too much to do: node-b has a CPU load of 97 % (the pool's maximum is 80 %); starts when the load of one falls",
      values: { nodes: [{ node: 'node-b', obstacle: { code: 'overloaded', cpuPercent: 97, maxCpuPercent: 80 } }], more: 0 },
      removed: [
        {
          filter: 'cordon-drain',
          count: 1,
          reason: 'cordoned or draining',
          phrase: { code: 'removed-out-of-service' },
          examples: ['node-a'],
        },
        {
          filter: 'load-threshold',
          count: 1,
          reason: "CPU load at or above the pool's maximum of 80 %",
          phrase: { code: 'removed-overloaded', values: { maxCpuPercent: 80 } },
          examples: ['node-b'],
        },
        { filter: 'performance', count: 1, reason: expect.any(String), phrase: { code: 'removed-no-performance' }, examples: ['node-c'] },
      ],
    });
  });

  it('tells a broken label expression instead of failing the turn', () => {
    const requests = [aRequest('broken', { labels: 'os = ', readyAtMs: 0 }), aRequest('sound', { readyAtMs: 1 })];
    const { placements, waits } = placeTurn(aTurn({ nodes: [aNode('a')], requests }));
    expect(placements.map((each) => each.taskRunId)).toEqual(['sound']);
    expect(waits[0]).toMatchObject({ taskRunId: 'broken', code: 'invalid-labels' });
    expect(waits[0]?.reason).toContain('at position 6: expected a value');
  });

  it('never lets a request that fits nowhere hold up one of another shape', () => {
    const requests = [
      ...requestsAlike(50, { resources: someResources({ gpuCount: 4 }), priority: 9 }),
      ...requestsAlike(50, { resources: someResources({ cpuMillis: 4000 }), priority: 8 }).map((each) => ({
        ...each,
        taskRunId: `c${each.taskRunId}`,
      })),
      aRequest('small', { resources: someResources({ memoryMib: 1 }) }),
    ];
    const { placements, waits } = placeTurn(aTurn({ nodes: [aNode('a')], requests }));
    expect(placements.map((each) => each.taskRunId)).toEqual(['ctask-000000', 'small']);
    expect(waits).toHaveLength(99);
    expect(new Set(waits.map((each) => each.code))).toEqual(new Set(['infeasible', 'no-capacity']));
  });
});

describe('placeTurn: choice', () => {
  it('holds no more attempts on a node than it may', () => {
    const { placements, waits } = placeTurn(
      aTurn({ nodes: [aNode('a', { heldAttempts: 1, maxAttempts: 3 })], requests: requestsAlike(3) }),
    );
    expect(placements).toHaveLength(2);
    expect(waits[0]?.reason).toContain('node-a holds 3 of 3 attempts');
  });

  it('avoids the node of an earlier attempt while there is another, and uses it when there is none', () => {
    const request = aRequest('retry', { avoidNodeIds: ['a'] });
    for (const selector of selectorNames) {
      const [retried] = placeTurn(aTurn({ policy: { selector }, nodes: [aNode('a'), aNode('b')], requests: [request] })).placements;
      expect(retried?.nodeId).toBe('b');
      expect(retried?.decision.removed).toMatchObject([{ filter: 'avoid-nodes', count: 1, examples: ['node-a'] }]);
    }
    const alone = placeTurn(aTurn({ nodes: [aNode('a'), fullNode('b')], requests: [{ ...request, ...oneCore }] }));
    expect(alone.placements[0]?.nodeId).toBe('a');
  });

  it('stores ten scores, the chosen node among them', () => {
    const nodes = Array.from({ length: 40 }, (_, index) => aNode(`n${String(index).padStart(2, '0')}`, { performance: 1 + index / 100 }));
    const { placements } = placeTurn(aTurn({ policy: { selector: 'resource-pick-kx' }, nodes, requests: requestsAlike(60) }));
    for (const { nodeId, decision } of placements) {
      expect(decision.scores).toHaveLength(10);
      expect(decision.scores.map((score) => score.nodeId)).toContain(nodeId);
      expect(decision.scores[0]?.nodeId).toBe('n39');
      expect(decision).toMatchObject({ candidates: 40, chosenNodeId: nodeId, selector: 'resource-pick-kx' });
    }
    expect(new Set(placements.map((each) => each.nodeId)).size).toBeGreaterThan(20);
  });

  it('chooses otherwise with another seed', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((id) => aNode(id));
    const chosen = (seed: string) => placeTurn(aTurn({ seed, nodes, requests: requestsAlike(20) })).placements.map((each) => each.nodeId);
    expect(chosen('one')).not.toEqual(chosen('two'));
    expect(chosen('one')).toEqual(chosen('one'));
  });
});

describe('placeTurn: a long queue', () => {
  it.each(selectorNames)('ends after 500 placements of 10,000 waiting requests on 100 nodes: %s', (selector) => {
    const capacity = someResources({ cpuMillis: 64_000, memoryMib: 65_536, diskMib: 1e6 });
    const nodes = Array.from({ length: 100 }, (_, index) =>
      aNode(`n${index}`, { capacity, performance: 1 + (index % 7), labels: { zone: `dc${index % 3}` } }),
    );
    const requests = Array.from({ length: 10_000 }, (_, index) =>
      aRequest(`t${index}`, {
        ...oneCore,
        labels: index % 2 === 0 ? null : 'zone in (dc0, dc1)',
        runtime: 'python3',
        readyAtMs: index % 977,
      }),
    );
    const input = aTurn({ policy: { selector }, nodes, requests, maxDecisions: 500 });
    expect(placeTurn(input).placements).toHaveLength(500);
  });
});
