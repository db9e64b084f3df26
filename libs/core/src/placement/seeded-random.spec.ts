import { describe, expect, it } from 'vitest';
import { seededRandom, seedNumber } from './seeded-random.js';

function draw(count: number, seed: string, ordinal: number): number[] {
  const random = seededRandom(seed, ordinal);
  return Array.from({ length: count }, () => random.next());
}

describe('seeded random', () => {
  it('gives the same stream for the same seed and ordinal, for ever', () => {
    expect(draw(3, 'medley', 0)).toEqual(draw(3, 'medley', 0));
    expect(draw(3, 'medley', 0)).toEqual([0.6598051241191766, 0.10070381345665314, 0.6085509685238945]);
  });

  it('gives other streams for other seeds and other ordinals', () => {
    const streams = [draw(4, 'a', 0), draw(4, 'a', 1), draw(4, 'b', 0), draw(4, 'b', 1)].map((stream) => stream.join());
    expect(new Set(streams).size).toBe(4);
  });

  it('stays in [0, 1) and is uniform over the first numbers of successive ordinals', () => {
    const buckets = Array.from({ length: 16 }, () => 0);
    const draws = 16_000;
    for (let ordinal = 0; ordinal < draws; ordinal += 1) {
      const value = seededRandom('uniform', ordinal).next();
      expect(value >= 0 && value < 1).toBe(true);
      const bucket = Math.floor(value * 16);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    const chiSquare = buckets.reduce((sum, count) => sum + (count - draws / 16) ** 2 / (draws / 16), 0);
    expect(chiSquare).toBeLessThan(37.7); // 15 degrees of freedom, p = 0.001
  });

  it('takes a number as a seed as well as a text', () => {
    expect(seedNumber(1)).not.toBe(seedNumber(2));
    expect(seededRandom(7).next()).toBe(seededRandom(7).next());
  });
});
