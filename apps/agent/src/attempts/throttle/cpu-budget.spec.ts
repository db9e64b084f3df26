import { describe, expect, it } from 'vitest';
import { CpuBudget } from './cpu-budget.js';

const COARSE_MS = 10;

/** Runs a load of so many busy threads under the budget, seen through a clock of CPU time that ticks coarsely; the share of a core it got. */
function shareOf(cores: number, threads: number, totalMs: number): number {
  const budget = new CpuBudget(cores);
  let [usedMs, seenMs] = [0, 0];
  for (let nowMs = 0; nowMs < totalMs; ) {
    const stepMs = budget.nextLookMs;
    nowMs += stepMs;
    if (!budget.isHolding) usedMs += threads * stepMs;
    const visibleMs = Math.floor(usedMs / COARSE_MS) * COARSE_MS;
    budget.account(stepMs, visibleMs - seenMs);
    seenMs = visibleMs;
  }
  return usedMs / totalMs;
}

describe('the CPU budget', () => {
  it.each([
    [0.01, 1],
    [0.1, 2],
    [0.25, 1],
    [0.25, 8],
    [0.5, 1.3],
    [1, 2],
  ])('gives %d of a core to %d busy threads, in the long run', (cores, threads) => {
    expect(shareOf(cores, threads, 200_000) / cores).toBeGreaterThan(0.97);
    expect(shareOf(cores, threads, 200_000) / cores).toBeLessThan(1.03);
  });

  it('never holds what uses less than its share', () => {
    const budget = new CpuBudget(0.5);
    for (let look = 0; look < 1000; look += 1) {
      budget.account(20, look % 4 === 0 ? 30 : 0);
      expect(budget.isHolding).toBe(false);
    }
  });

  it('saves nothing up while nothing runs', () => {
    const budget = new CpuBudget(0.25);
    budget.account(3_600_000, 0);
    budget.account(20, 40);
    expect(budget.isHolding).toBe(true);
  });

  it('holds for two seconds at most, however much was used unseen', () => {
    const budget = new CpuBudget(0.25);
    budget.account(20, 60_000);
    let heldMs = 0;
    for (; budget.isHolding; heldMs += 20) budget.account(20, 0);
    expect(heldMs).toBeGreaterThanOrEqual(1980);
    expect(heldMs).toBeLessThanOrEqual(2020);
  });
});
