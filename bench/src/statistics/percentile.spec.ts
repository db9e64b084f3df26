import { describe, expect, it } from 'vitest';
import { mean, median, percentile } from './percentile.js';

describe('percentiles', () => {
  it('is the nearest rank of the sorted values', () => {
    const values = [50, 10, 40, 20, 30];
    expect(percentile(values, 0.5)).toBe(30);
    expect(percentile(values, 0.99)).toBe(50);
    expect(percentile(values, 0)).toBe(10);
  });

  it('takes the mean of the two middle values for the median of an even count', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([3, 1, 2])).toBe(2);
  });

  it('has no value for nothing', () => {
    expect(percentile([], 0.5)).toBeNaN();
    expect(median([])).toBeNaN();
    expect(mean([])).toBeNaN();
  });
});
