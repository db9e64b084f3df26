import { describe, expect, it } from 'vitest';
import { bestAgree, type Slice, type SpinSample, undisturbedRate, upperQuartile } from './slice-rate.js';

const MS = 1_000_000;
const zero: SpinSample = { atNs: 0, rounds: 0, checksum: 0, cpuNs: 0, waitNs: 0, busyTicks: 0 };

/** 400 ms of a thread that computes 1000 rounds per ms of CPU time. */
function slice({ cpuMs, waitMs, busyMs }: { cpuMs: number; waitMs: number; busyMs: number }): Slice {
  return {
    from: zero,
    to: { ...zero, atNs: 400 * MS, rounds: cpuMs * 1000, cpuNs: cpuMs * MS, waitNs: waitMs * MS, busyTicks: busyMs / 10 },
  };
}

describe('the rate of a slice', () => {
  it('is what was computed by the wall clock when nothing else ran, however long a quota made the thread wait', () => {
    expect(undisturbedRate([slice({ cpuMs: 400, waitMs: 0, busyMs: 400 })], 1)).toBe(1_000_000);
    expect(undisturbedRate([slice({ cpuMs: 100, waitMs: 300, busyMs: 100 })], Number.POSITIVE_INFINITY)).toBe(250_000);
  });

  it('gives back what others took, and not what the quota would have withheld anyway', () => {
    expect(undisturbedRate([slice({ cpuMs: 160, waitMs: 240, busyMs: 800 })], 1)).toBe(1_000_000);
    expect(undisturbedRate([slice({ cpuMs: 100, waitMs: 300, busyMs: 800 })], 0.25)).toBe(250_000);
    expect(undisturbedRate([slice({ cpuMs: 80, waitMs: 320, busyMs: 800 })], 0.25)).toBe(250_000);
    const two = [slice({ cpuMs: 120, waitMs: 280, busyMs: 800 }), slice({ cpuMs: 80, waitMs: 320, busyMs: 800 })];
    expect(undisturbedRate(two, 1)).toBe(1_000_000);
    expect(undisturbedRate(two, 4)).toBe(2_000_000);
  });

  it('counts no more than the quota, though late and early turns may bring a slice more', () => {
    expect(undisturbedRate([slice({ cpuMs: 125, waitMs: 200, busyMs: 800 })], 0.25)).toBe(250_000);
    expect(undisturbedRate([slice({ cpuMs: 80, waitMs: 320, busyMs: 800 }), slice({ cpuMs: 60, waitMs: 320, busyMs: 800 })], 0.25)).toBe(
      250_000,
    );
  });

  it('gives back no more than others ran', () => {
    expect(undisturbedRate([slice({ cpuMs: 100, waitMs: 300, busyMs: 200 })], 1)).toBe(500_000);
  });

  it('is the plain rate where the system does not tell', () => {
    const { from, to } = slice({ cpuMs: 200, waitMs: 0, busyMs: 0 });
    expect(undisturbedRate([{ from: { ...from, cpuNs: null }, to }], 1)).toBe(500_000);
    expect(undisturbedRate([{ from, to: { ...to, busyTicks: null } }], 1)).toBe(500_000);
  });
});

describe('the upper quartile', () => {
  it('is untouched by one lucky and several disturbed slices', () => {
    expect(upperQuartile([100, 20, 60, 99, 30])).toBe(99);
    expect(upperQuartile([7])).toBe(7);
    expect(upperQuartile([])).toBe(0);
  });
});

describe('slices', () => {
  it('agree when the two best are close to each other', () => {
    expect(bestAgree([100, 20, 98], 0.03)).toBe(true);
    expect(bestAgree([100, 90, 91], 0.03)).toBe(false);
    expect(bestAgree([100], 0.03)).toBe(false);
  });
});
