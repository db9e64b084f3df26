import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { greatestDivisor } from '../fixtures/weights.fixture.js';
import { pickSmoothly, reconcileSmoothWeights, recordFailure, type SmoothWeights, type WeightedNode } from './smooth-weights.js';

const nodeIds = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const positiveWeights = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: nodeIds.length });
const withIds = (weights: readonly number[]): WeightedNode[] => weights.map((weight, index) => ({ id: nodeIds[index] as string, weight }));

const events = fc.oneof(
  fc.record({ kind: fc.constant('members' as const), weights: fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: nodeIds.length }) }),
  fc.record({ kind: fc.constant('pick' as const), full: fc.subarray(nodeIds), times: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant('failure' as const), id: fc.constantFrom(...nodeIds) }),
);
type Event = typeof events extends fc.Arbitrary<infer Value> ? Value : never;

function apply(event: Event, entries: SmoothWeights, members: WeightedNode[]): [SmoothWeights, WeightedNode[]] {
  if (event.kind === 'members') {
    const next = withIds(event.weights);
    return [reconcileSmoothWeights(entries, next), next];
  }
  if (event.kind === 'failure') return [recordFailure({ x: entries }, event.id).x as SmoothWeights, members];
  const candidates = members.filter(({ id }) => !event.full.includes(id));
  for (let time = 0; time < event.times; time += 1) {
    const pick = pickSmoothly(entries, candidates);
    if (pick !== null) expect(candidates[pick.chosenIndex]?.weight).toBeGreaterThan(0);
    else expect(candidates.every(({ weight }) => weight === 0)).toBe(true);
  }
  return [entries, members];
}

/** The entries of these members after so many picks with all of them. */
function afterPicks(members: readonly WeightedNode[], picks: number): SmoothWeights {
  const entries = reconcileSmoothWeights({}, members);
  for (let pick = 0; pick < picks; pick += 1) pickSmoothly(entries, members);
  return entries;
}

describe('smooth weights, for any weights', () => {
  it('sum to exactly 0 through joins, leaves, weight changes, full nodes and failures', () => {
    fc.assert(
      fc.property(positiveWeights, fc.array(events, { maxLength: 30 }), (weights, history) => {
        let members = withIds(weights);
        let entries = reconcileSmoothWeights({}, members);
        for (const event of history) {
          [entries, members] = apply(event, entries, members);
          const currentWeights = Object.values(entries).map((entry) => entry.currentWeight);
          expect(currentWeights.every(Number.isSafeInteger)).toBe(true);
          expect(currentWeights.reduce((sum, each) => sum + each, 0)).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are all 0 after W / gcd picks, with counts in exact proportion', () => {
    fc.assert(
      fc.property(positiveWeights, (weights) => {
        const members = withIds(weights);
        const entries = reconcileSmoothWeights({}, members);
        const divisor = weights.reduce(greatestDivisor);
        const rounds = weights.reduce((sum, weight) => sum + weight, 0) / divisor;
        const counts = weights.map(() => 0);
        for (let pick = 0; pick < rounds; pick += 1) {
          const index = pickSmoothly(entries, members)?.chosenIndex ?? -1;
          counts[index] = (counts[index] ?? 0) + 1;
        }
        expect(counts).toEqual(weights.map((weight) => weight / divisor));
        expect(Object.values(entries).every((entry) => entry.currentWeight === 0)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('keep every lag within [−(1 − 1/n), H_n − 1]', () => {
    fc.assert(
      fc.property(positiveWeights, (weights) => {
        const members = withIds(weights);
        const entries = reconcileSmoothWeights({}, members);
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const harmonic = weights.reduce((sum, _weight, index) => sum + 1 / (index + 1), 0);
        const tolerance = 1e-9;
        for (let pick = 0; pick < total; pick += 1) {
          pickSmoothly(entries, members);
          for (const { id } of members) {
            const lag = (entries[id]?.currentWeight ?? Number.NaN) / total;
            expect(lag).toBeGreaterThanOrEqual(-(1 - 1 / weights.length) - tolerance);
            expect(lag).toBeLessThanOrEqual(harmonic - 1 + tolerance);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('have the lag t·w/W − n as their current weight over W', () => {
    fc.assert(
      fc.property(positiveWeights, fc.nat({ max: 100 }), (weights, picks) => {
        const members = withIds(weights);
        const entries = reconcileSmoothWeights({}, members);
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const counts = weights.map(() => 0);
        for (let pick = 0; pick < picks; pick += 1) {
          const index = pickSmoothly(entries, members)?.chosenIndex ?? -1;
          counts[index] = (counts[index] ?? 0) + 1;
        }
        const expected = members.map(({ id, weight }, index) => [id, picks * weight - (counts[index] as number) * total]);
        expect(Object.fromEntries(expected)).toEqual(
          Object.fromEntries(Object.entries(entries).map(([id, entry]) => [id, entry.currentWeight])),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('let those that join start at 0 while all others keep what they have', () => {
    fc.assert(
      fc.property(positiveWeights, fc.nat({ max: 100 }), fc.integer({ min: 1, max: 60 }), (weights, picks, weight) => {
        const members = withIds(weights);
        const before = afterPicks(members, picks);
        const joined = reconcileSmoothWeights(before, [{ id: 'joiner', weight }, ...members]);
        expect(joined).toEqual({ ...before, joiner: { currentWeight: 0, effectiveWeight: weight } });
      }),
      { numRuns: 200 },
    );
  });

  it('spread what those that leave owe or are owed over the rest, evenly to the unit, and leave their effective weights alone', () => {
    fc.assert(
      fc.property(positiveWeights, fc.nat({ max: 100 }), fc.subarray(nodeIds, { minLength: 1 }), (weights, picks, leavers) => {
        const members = withIds(weights);
        const before = afterPicks(members, picks);
        const staying = members.filter(({ id }) => !leavers.includes(id));
        const after = reconcileSmoothWeights(before, staying);
        expect(Object.keys(after)).toEqual(staying.map(({ id }) => id));
        const gained = staying.map(({ id }) => (after[id]?.currentWeight ?? Number.NaN) - (before[id]?.currentWeight ?? Number.NaN));
        const taken = members.filter(({ id }) => leavers.includes(id)).map(({ id }) => before[id]?.currentWeight ?? Number.NaN);
        if (staying.length > 0) {
          expect(gained.reduce((sum, each) => sum + each, 0)).toBe(taken.reduce((sum, each) => sum + each, 0));
          expect(Math.max(...gained) - Math.min(...gained)).toBeLessThanOrEqual(1);
        }
        for (const { id } of staying) expect(after[id]?.effectiveWeight).toBe(before[id]?.effectiveWeight);
      }),
      { numRuns: 300 },
    );
  });

  it('halve at each failure of their node, not below 1, and recover by exactly one a pick up to the weight, though picks miss others', () => {
    fc.assert(
      fc.property(
        positiveWeights,
        fc.nat({ max: nodeIds.length - 1 }),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.boolean(), { maxLength: 80 }),
        (weights, chosen, failures, takesPart) => {
          const members = withIds(weights);
          const { id, weight } = members[chosen % members.length] as WeightedNode;
          let state = { x: reconcileSmoothWeights({}, members) };
          for (let failure = 0; failure < failures; failure += 1) state = recordFailure(state, id) as typeof state;
          let expected = Math.max(1, Math.floor(weight / 2 ** failures));
          expect(state.x[id]?.effectiveWeight).toBe(expected);
          for (const takes of takesPart) {
            pickSmoothly(state.x, takes ? members : members.filter((member) => member.id !== id));
            if (takes) expected = Math.min(weight, expected + 1);
            expect(state.x[id]?.effectiveWeight).toBe(expected);
          }
          const others = members.filter((member) => member.id !== id);
          expect(others.map((member) => state.x[member.id]?.effectiveWeight)).toEqual(others.map((member) => member.weight));
        },
      ),
      { numRuns: 300 },
    );
  });
});
