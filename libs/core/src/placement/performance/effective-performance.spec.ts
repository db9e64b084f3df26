import { describe, expect, it } from 'vitest';
import { effectivePerformance, measuredPerformance } from './effective-performance.js';

const measurement = { singleCore: 0.9, allCores: 3.6, memoryMibPerSecond: 9000, diskMibPerSecond: 400 };

describe('measuredPerformance', () => {
  it('is the all-cores score, so that a quarter of the CPU is a quarter of the performance', () => {
    expect(measuredPerformance(measurement)).toBe(3.6);
    expect(measuredPerformance({ ...measurement, allCores: 0.9 })).toBe(measuredPerformance(measurement) / 4);
  });

  it.each([Number.NaN, -1, 0, 1e-7, Number.POSITIVE_INFINITY])('is 0 for the unusable score %s', (allCores) => {
    expect(measuredPerformance({ ...measurement, allCores })).toBe(0);
  });

  it('is bounded', () => {
    expect(measuredPerformance({ ...measurement, allCores: 1e300 })).toBe(1_000_000);
  });
});

describe('effectivePerformance', () => {
  it('prefers what the operator declared, 0 included', () => {
    expect(effectivePerformance({ declaredSpeed: 2, measured: 0.5, cpuMillis: 4000 })).toBe(2);
    expect(effectivePerformance({ declaredSpeed: 0, measured: 0.5, cpuMillis: 4000 })).toBe(0);
  });

  it('is the measured one otherwise, and the cores until something is known', () => {
    expect(effectivePerformance({ declaredSpeed: null, measured: 0.5, cpuMillis: 4000 })).toBe(0.5);
    expect(effectivePerformance({ declaredSpeed: null, measured: null, cpuMillis: 4000 })).toBe(4);
  });
});
