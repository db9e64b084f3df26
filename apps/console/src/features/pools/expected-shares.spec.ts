import { describe, expect, it } from 'vitest';
import { expectedShares } from './expected-shares.js';

const shares = (k: number | 'infinity', ...performances: number[]) => expectedShares({ selector: 'resource-pick-kx', k }, performances);

describe('expected shares', () => {
  it('follow x^k: uniform, proportional, greedy', () => {
    expect(shares(0, 1, 3)).toEqual([0.5, 0.5]);
    expect(shares(1, 1, 3)).toEqual([0.25, 0.75]);
    expect(shares(2, 1, 3).map((share) => share.toFixed(6))).toEqual(['0.100000', '0.900000']);
    expect(shares('infinity', 1, 3, 3)).toEqual([0, 0.5, 0.5]);
  });

  it('never give work to a node of performance 0, and survive large exponents', () => {
    expect(shares(0, 0, 2)).toEqual([0, 1]);
    expect(shares(1, 0, 0)).toEqual([0, 0]);
    expect(shares(1000, 1, 2)[1]).toBeCloseTo(1);
  });
});
