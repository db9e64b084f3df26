import { describe, expect, it } from 'vitest';
import { createCpuKernel } from './cpu-kernel.js';

describe('the benchmark', () => {
  it('does the same work each time', () => {
    const [first, second] = [createCpuKernel(), createCpuKernel()];
    expect(first(10_000)).toBe(second(10_000));
    expect(Number.isFinite(first(2_000_000))).toBe(true);
  });
});
