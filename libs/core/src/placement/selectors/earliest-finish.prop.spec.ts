import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSelection, drawing } from '../fixtures/selection.fixture.js';
import { aNode, aRequest, someResources } from '../fixtures/turn.fixture.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import { seededRandom } from '../seeded-random.js';
import { earliestFinishSelector } from './earliest-finish.selector.js';
import type { Selection } from './selector.js';

interface Candidate {
  performance: number;
  held: number;
  busy: number[];
  /** Whether it has no slot left: then it is free when its first attempt ends. */
  full: boolean;
}

/** Few values, so that equal finishes are common. */
const candidate: fc.Arbitrary<Candidate> = fc.record({
  performance: fc.oneof(fc.constantFrom(0, 0.5, 1, 2), fc.double({ min: 0.01, max: 100, noNaN: true })),
  held: fc.nat(3),
  busy: fc.array(fc.integer({ min: -5, max: 60 }), { maxLength: 3 }),
  full: fc.boolean(),
});
const candidates = fc.array(candidate, { minLength: 1, maxLength: 10 });
const seconds = fc.option(fc.integer({ min: 1, max: 600 }));
const draw = fc.double({ min: 0, max: 1 - 2 ** -53, noNaN: true });

function nodeOf({ performance, held, busy, full }: Candidate, index: number): NodeSnapshot {
  const attempts = full ? { heldAttempts: held, maxAttempts: held } : { heldAttempts: held };
  return aNode(`n${index}`, { performance, busyUntilSeconds: busy, ...attempts });
}

/** The formula of the design, written down once more: free-at + learned runtime / speed, 10 s for an unknown runtime. */
function finishOf({ performance, busy, full }: Candidate, expectedSeconds: number | null): number {
  const freeAt = full && busy.length > 0 ? Math.max(0, Math.min(...busy)) : 0;
  return performance === 0 ? Number.POSITIVE_INFINITY : freeAt + (expectedSeconds ?? 10) / performance;
}

function select(given: readonly Candidate[], expectedSeconds: number | null, random = drawing(0.5)): Selection | null {
  const request = aRequest('task', { expectedSeconds, resources: someResources({ cpuMillis: 100 }) });
  return earliestFinishSelector.select(aSelection(given.map(nodeOf), { request, random }));
}

describe('earliest-finish, for any candidates', () => {
  it('chooses one whose expected finish is the least of all, ties only among equals', () => {
    fc.assert(
      fc.property(candidates, seconds, draw, (given, expectedSeconds, drawn) => {
        const finishes = given.map((each) => finishOf(each, expectedSeconds));
        const least = Math.min(...finishes);
        fc.pre(Number.isFinite(least));
        const selection = select(given, expectedSeconds, drawing(drawn));
        expect(selection?.values).toEqual(finishes);
        expect(finishes[selection?.chosenIndex ?? -1]).toBeLessThanOrEqual(least * (1 + 1e-9));
      }),
      { numRuns: 500 },
    );
  });

  it('chooses among equals the least loaded, and each of the equally loaded by some draw', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }), fc.constantFrom(0.5, 1, 3), seconds, (loads, performance, asked) => {
        const given = loads.map((held) => ({ performance, held, busy: [], full: false }));
        const idlest = [...loads.keys()].filter((index) => loads[index] === Math.min(...loads));
        const chosen = idlest.map((_, nth) => select(given, asked, drawing((nth + 0.5) / idlest.length))?.chosenIndex);
        expect(chosen).toEqual(idlest);
      }),
    );
  });

  it('keeps to the chosen node when it becomes faster, and expects it to finish earlier', () => {
    fc.assert(
      fc.property(candidates, seconds, fc.double({ min: 1.01, max: 50, noNaN: true }), draw, (given, asked, factor, drawn) => {
        fc.pre(given.some(({ performance }) => performance > 0));
        const before = select(given, asked, drawing(drawn));
        const chosen = before?.chosenIndex ?? -1;
        const faster = given.map((each, index) => (index === chosen ? { ...each, performance: each.performance * factor } : each));
        const after = select(faster, asked, drawing(drawn));
        expect(after?.chosenIndex).toBe(chosen);
        expect(after?.values[chosen]).toBeLessThan(before?.values[chosen] as number);
      }),
      { numRuns: 500 },
    );
  });

  it('never turns to a node because it became slower', () => {
    fc.assert(
      fc.property(candidates, seconds, fc.double({ min: 0, max: 0.99, noNaN: true }), fc.nat(), (given, asked, factor, nth) => {
        const slowed = nth % given.length;
        const before = given.map((each) => finishOf(each, asked));
        fc.pre((before[slowed] as number) > Math.min(...before) * (1 + 1e-6));
        const slower = given.map((each, index) => (index === slowed ? { ...each, performance: each.performance * factor } : each));
        expect(select(slower, asked)?.chosenIndex).not.toBe(slowed);
      }),
    );
  });

  it('never chooses a node of speed 0, and nobody when there is no other', () => {
    fc.assert(
      fc.property(candidates, seconds, draw, (given, asked, drawn) => {
        const selection = select(given, asked, drawing(drawn));
        if (given.every(({ performance }) => performance === 0)) expect(selection).toBeNull();
        else expect(given[selection?.chosenIndex ?? -1]?.performance).toBeGreaterThan(0);
      }),
    );
  });

  it('makes the same choice from the same seed', () => {
    fc.assert(
      fc.property(candidates, seconds, fc.string(), fc.nat(), (given, asked, seed, ordinal) => {
        expect(select(given, asked, seededRandom(seed, ordinal))).toEqual(select(given, asked, seededRandom(seed, ordinal)));
      }),
    );
  });
});
