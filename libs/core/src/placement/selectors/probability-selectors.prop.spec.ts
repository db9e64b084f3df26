import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSelection, drawing, nodesOfPerformance } from '../fixtures/selection.fixture.js';
import type { PlacementPolicy } from '../placement-policy.js';
import { seededRandom } from '../seeded-random.js';
import { randomSelector } from './random.selector.js';
import { resourcePickKxSelector } from './resource-pick-kx.selector.js';
import type { Selection } from './selector.js';

const ordinary = fc.double({ min: 0.01, max: 100, noNaN: true });
/** Every finite positive double, the smallest and the largest among them. */
const extreme = fc.oneof(
  fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true }),
  fc.constantFrom(5e-324, Number.MIN_VALUE * 3, 1e-300, 1e300, Number.MAX_VALUE),
);
const listOf = (x: fc.Arbitrary<number>) => fc.array(x, { minLength: 1, maxLength: 12 });
const withZeros = listOf(fc.oneof({ weight: 3, arbitrary: ordinary }, { weight: 1, arbitrary: fc.constant(0) }));
const exponent = fc.oneof(fc.double({ min: 0, max: 8, noNaN: true }), fc.constantFrom(0, 1));
const anyExponent = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constantFrom<(number | 'infinity')[]>(0, 1, 'infinity'));
/** The whole scale a draw may come from, both ends included. */
const draw = fc.oneof(fc.double({ min: 0, max: 1 - 2 ** -53, noNaN: true }), fc.constantFrom(0, 1 - 2 ** -53));

function pickKx(xs: readonly number[], k: PlacementPolicy['k'], random = drawing(0.5)): Selection | null {
  return resourcePickKxSelector.select(aSelection(nodesOfPerformance(xs), { policy: { selector: 'resource-pick-kx', k }, random }));
}

function pickAtRandom(xs: readonly number[], random = drawing(0.5)): Selection | null {
  return randomSelector.select(aSelection(nodesOfPerformance(xs), { random }));
}

function probabilities(selection: Selection | null): readonly number[] {
  expect(selection?.valueName).toBe('probability');
  return selection?.values ?? [];
}

function expectSumOfOne(values: readonly number[]): void {
  expect(Math.abs(values.reduce((sum, value) => sum + value, 0) - 1)).toBeLessThan(1e-9);
}

/** The candidates of probability p each own a piece of the scale of length p: drawing from its middle chooses them. */
function expectEveryoneReachable(values: readonly number[], choose: (drawn: number) => number | undefined): void {
  let from = 0;
  for (const [index, probability] of values.entries()) {
    if (probability > 1e-6) expect(choose(from + probability / 2)).toBe(index);
    from += probability;
  }
}

describe('resource-pick-kx, for any performances', () => {
  it('gives probabilities that sum to 1, 0 for x = 0 and for nothing else', () => {
    fc.assert(
      fc.property(withZeros, exponent, (xs, k) => {
        fc.pre(xs.some((x) => x > 0));
        const p = probabilities(pickKx(xs, k));
        expectSumOfOne(p);
        for (const [index, x] of xs.entries()) expect((p[index] as number) > 0).toBe(x > 0);
      }),
    );
  });

  it('gives any two candidates the ratio p_i / p_j = (x_i / x_j)^k', () => {
    fc.assert(
      fc.property(fc.array(ordinary, { minLength: 2, maxLength: 12 }), exponent, (xs, k) => {
        const p = probabilities(pickKx(xs, k));
        for (let i = 1; i < xs.length; i += 1) {
          const expected = k * (Math.log(xs[i] as number) - Math.log(xs[i - 1] as number));
          expect(Math.log(p[i] as number) - Math.log(p[i - 1] as number)).toBeCloseTo(expected, 8);
        }
      }),
    );
  });

  it('is uniform over x > 0 for k = 0', () => {
    fc.assert(
      fc.property(withZeros, (xs) => {
        const positive = xs.filter((x) => x > 0).length;
        fc.pre(positive > 0);
        for (const [index, p] of probabilities(pickKx(xs, 0)).entries()) expect(p).toBeCloseTo(xs[index] === 0 ? 0 : 1 / positive, 12);
      }),
    );
  });

  it('chooses only a maximum for k = infinity, each of several alike', () => {
    fc.assert(
      fc.property(listOf(fc.constantFrom(0, 0.1, 1, 2, 1e300)), draw, (xs, drawn) => {
        const largest = Math.max(...xs);
        fc.pre(largest > 0);
        const selection = pickKx(xs, 'infinity', drawing(drawn));
        expect(xs[selection?.chosenIndex ?? -1]).toBe(largest);
        const share = 1 / xs.filter((x) => x === largest).length;
        for (const [index, p] of probabilities(selection).entries()) expect(p).toBeCloseTo(xs[index] === largest ? share : 0, 12);
      }),
    );
  });

  it('never chooses a candidate of x = 0, wherever the draw falls', () => {
    fc.assert(
      fc.property(withZeros, anyExponent, draw, (xs, k, drawn) => {
        fc.pre(xs.some((x) => x > 0));
        const selection = pickKx(xs, k, drawing(drawn));
        expect(xs[selection?.chosenIndex ?? -1]).toBeGreaterThan(0);
        expect(selection?.values[selection.chosenIndex]).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('chooses nobody when every x is 0, whatever k', () => {
    fc.assert(
      fc.property(listOf(fc.constant(0)), anyExponent, draw, (xs, k, drawn) => {
        expect(pickKx(xs, k, drawing(drawn))).toBeNull();
      }),
    );
  });

  it('stays a distribution for every double and every k, the strongest never behind', () => {
    fc.assert(
      fc.property(listOf(extreme), anyExponent, draw, (xs, k, drawn) => {
        const selection = pickKx(xs, k, drawing(drawn));
        const p = probabilities(selection);
        expect(p.every(Number.isFinite)).toBe(true);
        expectSumOfOne(p);
        expect(Math.max(...p)).toBe(p[xs.indexOf(Math.max(...xs))]);
        expect(p[selection?.chosenIndex ?? -1]).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('lets every candidate be chosen that has a probability', () => {
    fc.assert(
      fc.property(withZeros, exponent, (xs, k) => {
        fc.pre(xs.some((x) => x > 0));
        expectEveryoneReachable(probabilities(pickKx(xs, k)), (drawn) => pickKx(xs, k, drawing(drawn))?.chosenIndex);
      }),
    );
  });

  it('makes the same choice from the same seed', () => {
    fc.assert(
      fc.property(withZeros, anyExponent, fc.string(), fc.nat(), (xs, k, seed, ordinal) => {
        expect(pickKx(xs, k, seededRandom(seed, ordinal))).toEqual(pickKx(xs, k, seededRandom(seed, ordinal)));
      }),
    );
  });
});

describe('random, for any performances', () => {
  it('gives every candidate of x > 0 the same probability and none to x = 0', () => {
    fc.assert(
      fc.property(listOf(fc.oneof(extreme, fc.constant(0))), (xs) => {
        const positive = xs.filter((x) => x > 0).length;
        fc.pre(positive > 0);
        const p = probabilities(pickAtRandom(xs));
        expectSumOfOne(p);
        for (const [index, x] of xs.entries()) expect(p[index]).toBe(x > 0 ? 1 / positive : 0);
      }),
    );
  });

  it('chooses one of the candidates, never of x = 0, wherever the draw falls', () => {
    fc.assert(
      fc.property(withZeros, draw, (xs, drawn) => {
        fc.pre(xs.some((x) => x > 0));
        const chosen = pickAtRandom(xs, drawing(drawn))?.chosenIndex ?? -1;
        expect(Number.isInteger(chosen)).toBe(true);
        expect(xs[chosen]).toBeGreaterThan(0);
      }),
    );
  });

  it('lets every candidate be chosen, also by nothing but other seeds', () => {
    fc.assert(
      fc.property(withZeros, (xs) => {
        fc.pre(xs.some((x) => x > 0));
        expectEveryoneReachable(probabilities(pickAtRandom(xs)), (drawn) => pickAtRandom(xs, drawing(drawn))?.chosenIndex);
        const chosen = new Set(Array.from({ length: 500 }, (_, ordinal) => pickAtRandom(xs, seededRandom('seed', ordinal))?.chosenIndex));
        expect(chosen).toEqual(new Set([...xs.keys()].filter((index) => (xs[index] as number) > 0)));
      }),
      { numRuns: 30 },
    );
  });

  it('chooses nobody when every x is 0', () => {
    fc.assert(
      fc.property(listOf(fc.constant(0)), draw, (xs, drawn) => {
        expect(pickAtRandom(xs, drawing(drawn))).toBeNull();
      }),
    );
  });

  it('makes the same choice from the same seed', () => {
    fc.assert(
      fc.property(withZeros, fc.string(), fc.nat(), (xs, seed, ordinal) => {
        expect(pickAtRandom(xs, seededRandom(seed, ordinal))).toEqual(pickAtRandom(xs, seededRandom(seed, ordinal)));
      }),
    );
  });
});
