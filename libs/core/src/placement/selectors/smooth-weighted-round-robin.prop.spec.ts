import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSelection, nodesOfPerformance } from '../fixtures/selection.fixture.js';
import { greatestDivisor } from '../fixtures/weights.fixture.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import { toWorkingNodes } from '../turn/working-node.js';
import { SelectorMemory } from './selector-memory.js';
import { smoothWeightedRoundRobinSelector } from './smooth-weighted-round-robin.selector.js';
import { recordFailure, type SelectorState, smoothWeightScale } from './smooth-weights.js';

const maxNodes = 7;
const weightsFrom = (min: number) => fc.array(fc.integer({ min, max: 60 }), { minLength: 1, maxLength: maxNodes });
const nodesOfWeight = (weights: readonly number[]) => nodesOfPerformance(weights.map((weight) => weight / smoothWeightScale));
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** One pick in a turn of its own, its state stored and read as the database does. */
function pickOnce(before: SelectorState, members: readonly NodeSnapshot[], isFull: (id: string) => boolean = () => false) {
  const memory = new SelectorMemory(before);
  const eligibility = { key: 'class', members: toWorkingNodes(members) };
  const candidates = eligibility.members.filter(({ snapshot }) => !isFull(snapshot.id));
  const selection = smoothWeightedRoundRobinSelector.select(aSelection(members, { candidates, eligibility, memory }));
  const chosen = selection === null ? null : (candidates[selection.chosenIndex]?.snapshot ?? null);
  return { chosen, candidates, state: JSON.parse(JSON.stringify(memory.after())) as SelectorState };
}

/** `picks` picks, one turn each; `seen` is told the counts so far after each. */
function pickMany(weights: readonly number[], picks: number, seen: (counts: readonly number[], picked: number) => void = () => {}) {
  const nodes = nodesOfWeight(weights);
  const counts = weights.map(() => 0);
  let state: SelectorState = {};
  for (let pick = 1; pick <= picks; pick += 1) {
    const result = pickOnce(state, nodes);
    state = result.state;
    const index = nodes.findIndex(({ id }) => id === result.chosen?.id);
    counts[index] = (counts[index] ?? 0) + 1;
    seen(counts, pick);
  }
  return { counts, currentWeights: Object.values(state.class ?? {}).map((entry) => entry.currentWeight) };
}

type Event = { kind: 'members'; weights: number[] } | { kind: 'pick'; full: number[]; times: number } | { kind: 'failure'; node: number };
const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant('members' as const),
    weights: fc.array(fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constant(0)), { maxLength: maxNodes }),
  }),
  fc.record({
    kind: fc.constant('pick' as const),
    full: fc.subarray([...Array(maxNodes).keys()]),
    times: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ kind: fc.constant('failure' as const), node: fc.nat(maxNodes - 1) }),
);

describe('smooth-weighted-round-robin, for any weights', () => {
  it('keeps Σ current weight at 0 and never picks weight 0, whoever joins, leaves, fails, is full or changes weight', () => {
    fc.assert(
      fc.property(weightsFrom(1), fc.array(events, { maxLength: 25 }), (weights, history) => {
        let nodes = nodesOfWeight(weights);
        let state: SelectorState = {};
        for (const event of history) {
          if (event.kind === 'members') nodes = nodesOfWeight(event.weights);
          else if (event.kind === 'failure') state = recordFailure(state, nodesOfWeight(Array(maxNodes).fill(1))[event.node]?.id ?? '');
          for (let time = 0; event.kind === 'pick' && time < event.times; time += 1) {
            const full = new Set(event.full.map((index) => nodes[index]?.id));
            const result = pickOnce(state, nodes, (id) => full.has(id));
            state = result.state;
            if (result.chosen !== null) expect(result.chosen.performance).toBeGreaterThan(0);
            else expect(result.candidates.every(({ snapshot }) => snapshot.performance === 0)).toBe(true);
            const members = nodes.filter(({ performance }) => performance > 0).map(({ id }) => id);
            expect(Object.keys(state.class ?? {})).toEqual(members);
          }
          expect(sumOf(Object.values(state.class ?? {}).map((entry) => entry.currentWeight))).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('picks in exact proportion in W / gcd picks, after which every current weight is 0 and all begins anew', () => {
    fc.assert(
      fc.property(weightsFrom(0), fc.integer({ min: 1, max: 2 }), (weights, rounds) => {
        const total = sumOf(weights);
        fc.pre(total > 0);
        const divisor = weights.reduce(greatestDivisor);
        const { counts, currentWeights } = pickMany(weights, (rounds * total) / divisor);
        expect(counts).toEqual(weights.map((weight) => (rounds * weight) / divisor));
        expect(currentWeights.every((weight) => weight === 0)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps t·w/W − n of every node within [−(1 − 1/n), H_n − 1] at every pick', () => {
    fc.assert(
      fc.property(weightsFrom(1), (weights) => {
        const total = sumOf(weights);
        const lowest = -(1 - 1 / weights.length);
        const highest = sumOf(weights.map((_, index) => 1 / (index + 1))) - 1;
        pickMany(weights, total, (counts, picked) => {
          for (const [index, weight] of weights.entries()) {
            const lag = (picked * weight) / total - (counts[index] as number);
            expect(lag).toBeGreaterThanOrEqual(lowest - 1e-9);
            expect(lag).toBeLessThanOrEqual(highest + 1e-9);
          }
        });
      }),
      { numRuns: 40 },
    );
  });

  it('picks nobody when every weight is 0', () => {
    fc.assert(
      fc.property(fc.array(fc.constant(0), { minLength: 1, maxLength: maxNodes }), (weights) => {
        expect(pickOnce({}, nodesOfWeight(weights)).chosen).toBeNull();
      }),
    );
  });
});
