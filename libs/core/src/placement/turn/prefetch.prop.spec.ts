import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aNode, aRequest, someResources } from '../fixtures/turn.fixture.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import { selectorNames } from '../placement-policy.js';
import type { PlacementRequest } from '../placement-request.js';
import type { PlacementTurnInput, PlacementTurnResult } from '../placement-turn.js';
import { placeTurn } from './place-turn.js';
import { comparePlacementOrder } from './placement-order.js';
import { maxBacklogSeconds, shortSeconds } from './prefetch-limits.js';

const cores = (count: number) => someResources({ cpuMillis: count * 1000 });

/** Nodes of few cores, mostly full of attempts that end soon. */
const nodes = fc.array(
  fc.record({
    cores: fc.integer({ min: 1, max: 3 }),
    idle: fc.constantFrom(0, 0, 0, 3),
    soon: fc.nat(3),
    performance: fc.constantFrom(0.5, 1, 4),
    cordoned: fc.nat(5).map((dice) => dice === 0),
    takesPrefetch: fc.nat(5).map((dice) => dice > 0),
    zone: fc.constantFrom('a', 'b'),
  }),
  { minLength: 1, maxLength: 5 },
);

const request = fc.record({
  cores: fc.constantFrom(1, 1, 1, 2, 3),
  expectedSeconds: fc.constantFrom(null, 0.01, 0.05, 0.2, 0.5, 0.9, 1, 3.9, 60),
  priority: fc.nat(2),
  readyAtMs: fc.nat(3),
  labels: fc.constantFrom(null, null, 'zone = a'),
  avoidNodeIds: fc.constantFrom<string[]>([], [], ['n0']),
});
/** None or many: few leave room for moves. */
const requests = fc.oneof(fc.array(request, { maxLength: 1 }), fc.array(request, { maxLength: 14, size: 'max' }));

type Part = typeof request extends fc.Arbitrary<infer Each> ? Each : never;
const requestOf = (prefix: string) => (part: Part, index: number) => {
  const { cores: asked, ...rest } = part;
  return aRequest(`${prefix}${String(index).padStart(2, '0')}`, { ...rest, resources: cores(asked) });
};

const turns: fc.Arbitrary<PlacementTurnInput> = fc
  .record({
    selector: fc.constantFrom(...selectorNames),
    prefetch: fc.constantFrom(0, 1, 2, 3),
    seed: fc.string({ maxLength: 4 }),
    nodes,
    requests,
    prefetched: fc.array(fc.tuple(request, fc.nat(4)), { maxLength: 3 }),
    maxDecisions: fc.constantFrom(3, 100),
  })
  .map(({ selector, prefetch, seed, nodes: parts, requests: asked, prefetched, maxDecisions }) => ({
    policy: { selector, prefetch },
    seed,
    nowMs: 0,
    selectorState: {},
    maxDecisions,
    nodes: parts.map(nodeOf),
    requests: asked.map(requestOf('t')),
    prefetched: prefetched.map(([part, node], index) => ({
      nodeId: `n${node % parts.length}`,
      request: requestOf('p')({ ...part, expectedSeconds: 0.2 }, index),
    })),
  }));

function nodeOf(part: { cores: number; idle: number; soon: number; zone: string } & Partial<NodeSnapshot>, index: number): NodeSnapshot {
  const { cores: count, idle, soon, zone, ...rest } = part;
  const busy = Math.max(0, count - idle);
  const ending = Math.min(soon, busy);
  return aNode(`n${index}`, {
    ...rest,
    labels: { zone },
    capacity: cores(count),
    reserved: cores(busy),
    heldAttempts: busy,
    endingSoon: { attempts: ending, resources: cores(ending) },
  });
}

/** Checks random turns; what they sent ahead or moved is counted, so that nothing holds for want of any. */
function forRandomTurns(kind: 'prefetches' | 'moves', check: (input: PlacementTurnInput, result: PlacementTurnResult) => void) {
  const numRuns = 500;
  let seen = 0;
  fc.assert(
    fc.property(turns, (input) => {
      const result = placeTurn(input);
      seen += result[kind].length;
      check(input, result);
    }),
    { numRuns },
  );
  expect(seen).toBeGreaterThan(numRuns / 25);
}

const byId = (input: PlacementTurnInput) =>
  new Map([...input.requests, ...(input.prefetched ?? []).map(({ request }) => request)].map((each) => [each.taskRunId, each]));
const coresOf = (requests: readonly (PlacementRequest | undefined)[]) =>
  requests.reduce((sum, each) => sum + (each?.resources.cpuMillis ?? 0), 0);

describe('prefetch, for any turn', () => {
  it('may be cut short by time at any point: what was decided replays from the input with that many decisions', () => {
    let cut = 0;
    const decided = ({ placements, moves, prefetches }: PlacementTurnResult) => [...placements, ...moves, ...prefetches];
    fc.assert(
      fc.property(turns, fc.nat(8), (input, patience) => {
        let asked = 0;
        const timed = placeTurn(input, () => ++asked > patience);
        const { length } = decided(timed);
        const replayed = placeTurn(timed.endedEarly ? { ...input, maxDecisions: length } : input);
        expect(decided(replayed)).toEqual(decided(timed));
        expect(placeTurn(input).placements.slice(0, timed.placements.length)).toEqual(timed.placements);
        if (timed.endedEarly) expect(length).toBeGreaterThan(0);
        cut += timed.endedEarly ? 1 : 0;
      }),
      { numRuns: 500 },
    );
    expect(cut).toBeGreaterThan(20);
  });

  it('keeps to the depth and to two seconds of work on each node, on those only whose agents take it', () => {
    forRandomTurns('prefetches', (input, { prefetches, moves }) => {
      const known = byId(input);
      for (const node of input.nodes) {
        const sent = prefetches.filter(({ nodeId }) => nodeId === node.id);
        if (sent.length === 0) continue;
        const moved = new Set(moves.map(({ taskRunId }) => taskRunId));
        const before = input.prefetched!.filter(({ nodeId, request }) => nodeId === node.id && !moved.has(request.taskRunId));
        const seconds = [...before.map(({ request }) => request), ...sent.map(({ taskRunId }) => known.get(taskRunId)!)].map(
          ({ expectedSeconds }) => expectedSeconds! / node.performance,
        );
        expect(seconds).toHaveLength(before.length + sent.length);
        expect(seconds.length).toBeLessThanOrEqual(input.policy.prefetch!);
        expect(seconds.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(maxBacklogSeconds + 1e-9);
        expect(node).toMatchObject({ takesPrefetch: true, cordoned: false });
      }
    });
  });

  it('sends ahead only what is known to be short there, to where what ends soon makes room for it', () => {
    forRandomTurns('prefetches', (input, { prefetches, placements, moves }) => {
      const known = byId(input);
      for (const { taskRunId, nodeId } of prefetches) {
        const node = input.nodes.find(({ id }) => id === nodeId)!;
        const request = known.get(taskRunId)!;
        expect(request.expectedSeconds).not.toBeNull();
        expect(request.expectedSeconds! / node.performance).toBeLessThanOrEqual(shortSeconds);
        const came = [...placements, ...moves].filter((each) => each.nodeId === nodeId).map((each) => known.get(each.taskRunId)!);
        const stays = coresOf(came.filter(({ expectedSeconds }) => expectedSeconds === null || expectedSeconds / node.performance > 1));
        const room = node.capacity.cpuMillis - node.reserved.cpuMillis + node.endingSoon!.resources.cpuMillis - stays;
        expect(request.resources.cpuMillis).toBeLessThanOrEqual(room);
      }
    });
  });

  it('changes no placement and no move, and takes only from those that waited for room', () => {
    forRandomTurns('prefetches', (input, { placements, moves, prefetches, waits }) => {
      const without = placeTurn({ ...input, policy: { ...input.policy, prefetch: 0 } });
      expect(without.prefetches).toEqual([]);
      expect(placements).toEqual(without.placements);
      expect(moves).toEqual(without.moves);
      const sent = new Set(prefetches.map(({ taskRunId }) => taskRunId));
      expect(waits).toEqual(without.waits.filter(({ taskRunId }) => !sent.has(taskRunId)));
      for (const each of sent) expect(without.waits).toContainEqual(expect.objectContaining({ taskRunId: each, code: 'no-capacity' }));
    });
  });

  it('sends nothing ahead to a node that an earlier request waits for', () => {
    forRandomTurns('prefetches', (input, { prefetches, waits }) => {
      const known = byId(input);
      const left = waits.filter(({ code }) => code === 'no-capacity').map(({ taskRunId }) => known.get(taskRunId)!);
      for (const { taskRunId, nodeId } of prefetches) {
        const request = known.get(taskRunId)!;
        for (const earlier of left.filter((each) => comparePlacementOrder(each, request) < 0)) {
          const node = input.nodes.find(({ id }) => id === nodeId)!;
          const empty = { ...node, reserved: someResources(), heldAttempts: 0 };
          expect(placeTurn({ ...input, nodes: [empty], requests: [earlier], prefetched: [], maxDecisions: 1 }).placements).toEqual([]);
        }
      }
    });
  });

  it('moves what waits elsewhere only to real room, and only when its own node has none for it', () => {
    forRandomTurns('moves', (input, { placements, moves }) => {
      const known = byId(input);
      for (const node of input.nodes) {
        const taken = [...placements, ...moves].filter(({ nodeId }) => nodeId === node.id).map(({ taskRunId }) => known.get(taskRunId)!);
        expect(node.reserved.cpuMillis + coresOf(taken)).toBeLessThanOrEqual(node.capacity.cpuMillis);
      }
      for (const { taskRunId, nodeId } of moves) {
        const { nodeId: from, request } = input.prefetched!.find((each) => each.request.taskRunId === taskRunId)!;
        expect(nodeId).not.toBe(from);
        const own = input.nodes.find(({ id }) => id === from)!;
        const came = coresOf(placements.filter((each) => each.nodeId === from).map((each) => known.get(each.taskRunId)));
        const rest = own.capacity.cpuMillis - own.reserved.cpuMillis - came;
        const mismatch = request.labels !== null && own.labels.zone !== 'a';
        expect(own.cordoned || mismatch || rest < request.resources.cpuMillis).toBe(true);
      }
    });
  });

  it('gives the identical result after a JSON round trip, and in whatever order things are listed', () => {
    forRandomTurns('prefetches', (input, result) => {
      expect(JSON.stringify(placeTurn(JSON.parse(JSON.stringify(input))))).toBe(JSON.stringify(result));
      const reversed = {
        nodes: input.nodes.toReversed(),
        requests: input.requests.toReversed(),
        prefetched: input.prefetched!.toReversed(),
      };
      expect(placeTurn({ ...input, ...reversed })).toEqual(result);
    });
  });

  it('accounts for every node in each decision', () => {
    forRandomTurns('prefetches', (input, { prefetches, moves }) => {
      for (const { decision } of [...prefetches, ...moves]) {
        expect(decision.removed.reduce((sum, each) => sum + each.count, decision.candidates)).toBe(input.nodes.length);
      }
    });
  });
});
