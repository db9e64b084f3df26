import { describe, expect, it } from 'vitest';
import { criticalPathSeconds, lowerBoundSeconds, scaleFor } from './bounds.js';

const task = (id: string, seconds: number, parents: string[] = [], cores = 1) => ({ id, seconds, cores, parents });
const diamond = [task('a', 2), task('b', 3, ['a']), task('c', 5, ['a']), task('d', 1, ['b', 'c'])];

describe('the lower bound of a makespan', () => {
  it('is the critical path on the fastest node when work is small', () => {
    expect(criticalPathSeconds(diamond)).toBe(8);
    expect(lowerBoundSeconds(diamond, { speeds: [1, 4], slotsPerNode: 4 })).toBe(2);
  });

  it('is work over capacity when there is more work than the path', () => {
    const fan = Array.from({ length: 40 }, (_, index) => task(`t${index}`, 6));
    expect(lowerBoundSeconds(fan, { speeds: [1, 3], slotsPerNode: 2 })).toBe(30);
  });

  it('counts core seconds, with no more cores than a node has slots', () => {
    const wide = [task('w', 10, [], 16), task('x', 10, [], 2)];
    expect(lowerBoundSeconds(wide, { speeds: [1], slotsPerNode: 4 })).toBe(15);
  });

  it('is brought to the target by the scale', () => {
    const cluster = { speeds: [1, 4], slotsPerNode: 4 };
    expect(lowerBoundSeconds(diamond, cluster) * scaleFor(diamond, cluster, 60)).toBeCloseTo(60, 9);
  });

  it('stays zero when no task takes time', () => {
    expect(scaleFor([task('z', 0)], { speeds: [1], slotsPerNode: 1 }, 60)).toBe(1);
  });
});
