import { describe, expect, it } from 'vitest';
import { createCpuKernel } from './cpu-kernel.js';
import { median } from './measure-performance.js';

describe('the benchmark', () => {
  it('does the same work each time', () => {
    const [first, second] = [createCpuKernel(), createCpuKernel()];
    expect(first(10_000)).toBe(second(10_000));
    expect(Number.isFinite(first(2_000_000))).toBe(true);
  });

  it('takes the middle slice, so that one disturbed slice changes nothing', () => {
    expect(median([5, 100, 6])).toBe(6);
    expect(median([])).toBe(0);
  });
});
