import { describe, expect, it } from 'vitest';
import {
  pickSmoothly,
  reconcileSmoothWeights,
  recordFailure,
  type SmoothWeights,
  smoothWeightOf,
  smoothWeightScale,
} from './smooth-weights.js';

const weighted = (weights: Record<string, number>) => Object.entries(weights).map(([id, weight]) => ({ id, weight }));

function pickMany(entries: SmoothWeights, weights: Record<string, number>, count: number): string {
  const candidates = weighted(weights);
  return Array.from({ length: count }, () => candidates[pickSmoothly(entries, candidates)?.chosenIndex ?? -1]?.id).join(' ');
}

describe('smooth weights', () => {
  it('give a a b a c a a for weights 5, 1, 1, twice', () => {
    const weights = { a: 5, b: 1, c: 1 };
    const entries = reconcileSmoothWeights({}, weighted(weights));
    expect(pickMany(entries, weights, 14)).toBe('a a b a c a a a a b a c a a');
    expect(Object.values(entries).map((entry) => entry.currentWeight)).toEqual([0, 0, 0]);
  });

  it('spread what a leaving node owes or is owed over the rest, to the unit', () => {
    const before = {
      a: { currentWeight: -7, effectiveWeight: 5 },
      b: { currentWeight: 4, effectiveWeight: 1 },
      c: { currentWeight: 3, effectiveWeight: 1 },
    };
    const after = reconcileSmoothWeights(before, weighted({ b: 1, c: 1 }));
    expect(after).toEqual({ b: { currentWeight: 0, effectiveWeight: 1 }, c: { currentWeight: 0, effectiveWeight: 1 } });
  });

  it('let a joining node start at 0', () => {
    const before = { a: { currentWeight: -2, effectiveWeight: 5 }, b: { currentWeight: 2, effectiveWeight: 1 } };
    expect(reconcileSmoothWeights(before, weighted({ a: 5, b: 1, c: 3 }))).toEqual({
      ...before,
      c: { currentWeight: 0, effectiveWeight: 3 },
    });
  });

  it('let a node of weight 0 leave and never be picked', () => {
    const entries = reconcileSmoothWeights({ b: { currentWeight: 9, effectiveWeight: 3 } }, weighted({ a: 2, b: 0 }));
    expect(Object.keys(entries)).toEqual(['a']);
    expect(pickMany(entries, { a: 2, b: 0 }, 5)).toBe('a a a a a');
  });

  it('pick nobody when every weight is 0', () => {
    expect(pickSmoothly({}, weighted({ a: 0, b: 0 }))).toBeNull();
  });

  it('let a momentarily full node neither gain nor pay', () => {
    const entries = reconcileSmoothWeights({}, weighted({ a: 5, b: 1, c: 1 }));
    expect(pickMany(entries, { b: 1, c: 1 }, 3)).toBe('b c b');
    expect(entries.a?.currentWeight).toBe(0);
    expect((entries.b?.currentWeight ?? 0) + (entries.c?.currentWeight ?? 0)).toBe(0);
  });

  it('halve the effective weight of a failing node in every class and let it recover by one a pick', () => {
    const entry = { currentWeight: 0, effectiveWeight: 8 };
    const state = recordFailure({ x: { a: { ...entry }, b: { ...entry } }, y: { a: { ...entry } }, z: { b: { ...entry } } }, 'a');
    expect([state.x?.a, state.x?.b, state.y?.a].map((each) => each?.effectiveWeight)).toEqual([4, 8, 4]);
    const entries = state.x ?? {};
    const seen: (number | undefined)[] = [];
    for (let pick = 0; pick < 6; pick += 1) {
      pickSmoothly(entries, weighted({ a: 8, b: 8 }));
      seen.push(entries.a?.effectiveWeight);
    }
    expect(seen).toEqual([5, 6, 7, 8, 8, 8]);
  });

  it('pick a failed node less often while it recovers, and never let it sink to 0', () => {
    const weights = { a: 100, b: 100 };
    let state = { x: reconcileSmoothWeights({}, weighted(weights)) };
    for (let failure = 0; failure < 20; failure += 1) state = recordFailure(state, 'a') as typeof state;
    expect(state.x.a?.effectiveWeight).toBe(1);
    const early = pickMany(state.x, weights, 50).split(' ');
    pickMany(state.x, weights, 100);
    const late = pickMany(state.x, weights, 50).split(' ');
    expect(early.filter((id) => id === 'a').length).toBeLessThan(15);
    expect(late.filter((id) => id === 'a')).toHaveLength(25);
  });

  it('do not change the state a failure is recorded in', () => {
    const state = { x: { a: { currentWeight: 1, effectiveWeight: 8 } } };
    recordFailure(state, 'a');
    expect(state.x.a.effectiveWeight).toBe(8);
  });

  it('are whole numbers that tell performances of one hundredth apart', () => {
    expect([0, 1e-9, 0.25, 1, 1.37].map(smoothWeightOf)).toEqual([0, 1, smoothWeightScale / 4, smoothWeightScale, 137]);
  });
});
