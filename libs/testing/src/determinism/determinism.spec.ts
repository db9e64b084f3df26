import { describe, expect, it } from 'vitest';
import { fakeClock } from './fake-clock.js';
import { pick, seededRandom } from './seeded-random.js';

describe('seededRandom', () => {
  it('repeats for a seed, differs between seeds and stays in [0, 1)', () => {
    const draw = (seed: number) => Array.from({ length: 1_000 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7).every((value) => value >= 0 && value < 1)).toBe(true);
  });

  it('picks every item sooner or later', () => {
    const random = seededRandom(1);
    expect(new Set(Array.from({ length: 100 }, () => pick(['a', 'b', 'c'], random))).size).toBe(3);
  });
});

describe('fakeClock', () => {
  it('stands still until moved', () => {
    const clock = fakeClock('2026-03-29T00:00:00Z');
    clock.advance(1_500);
    expect(clock.now()).toEqual(new Date('2026-03-29T00:00:01.500Z'));
    clock.set('2027-01-01T00:00:00Z');
    expect(clock.now()).toEqual(new Date('2027-01-01T00:00:00Z'));
  });
});
