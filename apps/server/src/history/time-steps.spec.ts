import { describe, expect, it } from 'vitest';
import { stepSecondsFor, stepsOf } from './time-steps.js';

const HOUR = 3_600_000;

describe('steps of a range of time', () => {
  it.each([
    [HOUR, 30],
    [6 * HOUR, 300],
    [24 * HOUR, 900],
    [7 * 24 * HOUR, 10_800],
    [31 * 24 * HOUR, 86_400],
    [1000, 30],
  ])('of %d ms are %d s long', (length, step) => {
    expect(stepSecondsFor(0, length)).toBe(step);
    expect(stepsOf(0, length, length, step).length).toBeLessThanOrEqual(120);
  });

  it('begin on multiples of the step and end with the present', () => {
    expect(stepsOf(61_000, 600_000, 200_000, 60)).toEqual([60_000, 120_000, 180_000]);
    expect(stepsOf(61_000, 600_000, 10_000, 60)).toEqual([]);
  });
});
