import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aRequest, someResources } from '../fixtures/turn.fixture.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import { selectorNames } from '../placement-policy.js';
import type { PlacementTurnInput, PlacementTurnResult } from '../placement-turn.js';
import { resourceNames } from '../resources.js';
import { placeTurn } from './place-turn.js';
import { comparePlacementOrder } from './placement-order.js';

const amounts = (max: number) =>
  fc.record({ cpuMillis: fc.nat(max * 1000), memoryMib: fc.nat(max * 1024), diskMib: fc.nat(max), gpuCount: fc.nat(Math.floor(max / 4)) });

const nodeParts = fc.record({
  name: fc.string({ maxLength: 4 }),
  labels: fc.dictionary(fc.constantFrom('zone', 'gpu'), fc.constantFrom('dc1', 'dc2', 't4')),
  platform: fc.constantFrom('linux', 'darwin', 'win32'),
  runtimes: fc.subarray(['python3', 'node']),
  capacity: fc.oneof(amounts(8), fc.constant({ cpuMillis: 4000, memoryMib: 8192, diskMib: 10, gpuCount: 0 })),
  reserved: fc.oneof(fc.constant(someResources()), amounts(4)),
  cordoned: fc.boolean(),
  draining: fc.boolean(),
  reachable: fc.boolean(),
  offline: fc.boolean(),
  heldAttempts: fc.nat(4),
  maxAttempts: fc.oneof(fc.nat(6), fc.constant(12)),
  performance: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 10_000 }).map((value) => value / 100) },
    fc.constantFrom(0, 5e-324),
  ),
  busyUntilSeconds: fc.array(fc.nat(100), { maxLength: 3 }),
  cpuPercent: fc.option(fc.nat(100), { nil: undefined }),
  maxCpuPercent: fc.option(fc.constantFrom(80, 100), { nil: undefined }),
});

/** Most nodes are in service, otherwise random turns would place next to nothing. */
const nodes: fc.Arbitrary<NodeSnapshot[]> = fc.array(fc.tuple(nodeParts, fc.nat(5)), { maxLength: 8 }).map((parts) =>
  parts.map(([node, dice], index) => ({
    ...node,
    id: `n${index}`,
    ...(dice === 0 ? {} : { cordoned: false, draining: false, reachable: true, offline: false }),
  })),
);

const requests = fc
  .array(
    fc.record({
      resources: fc.oneof(amounts(2), fc.constantFrom(someResources(), someResources({ cpuMillis: 500 }))),
      labels: fc.constantFrom(null, null, null, null, 'zone = dc1', 'gpu exists or os != linux', 'broken ='),
      runtime: fc.constantFrom(null, 'python3', 'shell'),
      priority: fc.nat(2),
      rank: fc.nat(2),
      readyAtMs: fc.nat(3),
      avoidNodeIds: fc.subarray(['n0', 'n1', 'n2']),
      expectedSeconds: fc.option(fc.nat(100)),
    }),
    { maxLength: 25, size: 'max' },
  )
  .map((parts) => parts.map((part, index) => aRequest(`t${String(index).padStart(2, '0')}`, part)));

const turns: fc.Arbitrary<PlacementTurnInput> = fc.record({
  policy: fc.record({
    selector: fc.constantFrom(...selectorNames),
    k: fc.constantFrom<(number | 'infinity')[]>(0, 1, 2.5, 300, 'infinity'),
  }),
  seed: fc.string({ maxLength: 8 }),
  nowMs: fc.nat(),
  nodes,
  selectorState: fc.constant({
    'runtime * labels *': { n0: { currentWeight: -5, effectiveWeight: 3 }, gone: { currentWeight: 5, effectiveWeight: 9 } },
  }),
  requests,
  maxDecisions: fc.oneof(fc.nat(30), fc.constant(30)),
});

/** Runs the property over random turns; the placements seen in all are counted, so that it cannot hold for want of any. */
function forRandomTurns(check: (input: PlacementTurnInput, result: PlacementTurnResult) => void, numRuns = 250) {
  let placed = 0;
  fc.assert(
    fc.property(turns, (input) => {
      const result = placeTurn(input);
      placed += result.placements.length;
      check(input, result);
    }),
    { numRuns },
  );
  expect(placed).toBeGreaterThan(numRuns);
}

describe('placeTurn, for any turn', () => {
  it('never reserves more than a node has, nor holds more attempts than it may', () => {
    forRandomTurns((input, { placements }) => {
      for (const node of input.nodes) {
        const taken = placements.filter((each) => each.nodeId === node.id);
        const asked = taken.map(
          ({ taskRunId }) => input.requests.find((each) => each.taskRunId === taskRunId)?.resources ?? someResources(),
        );
        if (taken.length === 0) continue;
        for (const name of resourceNames) {
          const reserved = asked.reduce((sum, each) => sum + each[name], node.reserved[name]);
          expect(reserved).toBeLessThanOrEqual(Math.max(node.capacity[name], node.reserved[name]));
        }
        expect(node.heldAttempts + taken.length).toBeLessThanOrEqual(node.maxAttempts);
      }
    });
  });

  it('accounts for every node: those removed and the candidates are all of them', () => {
    forRandomTurns((input, { placements, waits }) => {
      const removedCount = (removed: { count: number }[]) => removed.reduce((sum, each) => sum + each.count, 0);
      for (const { decision } of placements) expect(removedCount(decision.removed)).toBe(input.nodes.length - decision.candidates);
      for (const { code, removed } of waits) expect(removedCount(removed)).toBe(code === 'invalid-labels' ? 0 : input.nodes.length);
    });
  });

  it('gives the identical result for the same input after a JSON round trip', () => {
    forRandomTurns((input, result) => {
      const replayed = placeTurn(JSON.parse(JSON.stringify(input)));
      expect(JSON.stringify(replayed)).toBe(JSON.stringify(result));
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    });
  });

  it('does not depend on the order in which nodes and requests are listed', () => {
    forRandomTurns((input, result) => {
      const listed = { ...input, nodes: [...input.nodes].reverse(), requests: [...input.requests].reverse() };
      expect(placeTurn(listed)).toEqual(result);
    });
  });

  it('leaves its input as it was', () => {
    forRandomTurns((input) => {
      const before = JSON.stringify(input);
      placeTurn(input);
      expect(JSON.stringify(input)).toBe(before);
    });
  });

  it('decides first what it would decide alone: a lower limit gives the beginning of the same placements', () => {
    forRandomTurns((input, { placements }) => {
      const shorter = placeTurn({ ...input, maxDecisions: Math.floor(input.maxDecisions / 2) });
      expect(shorter.placements).toEqual(placements.slice(0, Math.floor(input.maxDecisions / 2)));
    });
  });

  it('answers every request once, in order, unless the limit ended the turn', () => {
    forRandomTurns((input, { placements, waits }) => {
      const position = new Map([...input.requests].sort(comparePlacementOrder).map((each, index) => [each.taskRunId, index]));
      for (const list of [placements, waits]) {
        const positions = list.map((each) => position.get(each.taskRunId) as number);
        expect(positions).toEqual([...positions].sort((left, right) => left - right));
      }
      const answered = new Set([...placements, ...waits].map((each) => each.taskRunId));
      expect(answered.size).toBe(placements.length + waits.length);
      if (placements.length < input.maxDecisions) expect(answered.size).toBe(input.requests.length);
    });
  });

  it('places only on nodes in service with a performance and a load below the maximum, and waits only when no node had room', () => {
    forRandomTurns((input, { placements, waits }) => {
      const byId = new Map(input.nodes.map((node) => [node.id, node]));
      for (const { nodeId } of placements) {
        expect(byId.get(nodeId)).toMatchObject({ cordoned: false, draining: false, reachable: true, offline: false });
        expect(byId.get(nodeId)?.performance).toBeGreaterThan(0);
        const { cpuPercent = 0, maxCpuPercent = 101 } = byId.get(nodeId)!;
        expect(cpuPercent).toBeLessThan(maxCpuPercent);
      }
      for (const wait of waits) {
        expect(wait.reason).not.toBe('');
        if (wait.code === 'no-node') expect(input.nodes).toEqual([]);
      }
    });
  });

  it('calls a request infeasible exactly when an empty pool in full service could not run it either', () => {
    forRandomTurns((input, { waits }) => {
      const healthy = input.nodes.map((node) => ({
        ...node,
        ...{ reserved: someResources(), heldAttempts: 0, maxAttempts: 1, performance: 1 },
        ...{ cordoned: false, draining: false, reachable: true, offline: false, cpuPercent: 0 },
      }));
      for (const wait of waits) {
        if (wait.code === 'invalid-labels' || wait.code === 'no-node') continue;
        const alone = input.requests.filter((each) => each.taskRunId === wait.taskRunId);
        const retried = placeTurn({ ...input, nodes: healthy, requests: alone, maxDecisions: 1 });
        expect(retried.placements.length === 0).toBe(wait.code === 'infeasible');
      }
    }, 150);
  });

  it('keeps Σ current weight at 0 in every class it used', () => {
    forRandomTurns((input, { selectorState, placements }) => {
      if (input.policy.selector !== 'smooth-weighted-round-robin') return expect(selectorState).toEqual(input.selectorState);
      for (const entries of Object.values(selectorState)) {
        expect(Object.values(entries).reduce((sum, entry) => sum + entry.currentWeight, 0)).toBe(0);
      }
      expect(Object.keys(selectorState).length).toBeLessThanOrEqual(placements.length + 1);
    });
  });
});
