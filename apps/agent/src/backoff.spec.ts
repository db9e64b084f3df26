import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.js';

describe('backoff', () => {
  it('doubles up to its maximum and stays between half of it and all of it', () => {
    expect([0, 1, 2, 3, 10, 1000].map((failures) => backoffMs(failures, 100, 1000, () => 1))).toEqual([100, 200, 400, 800, 1000, 1000]);
    expect(backoffMs(2, 100, 1000, () => 0)).toBe(200);
  });
});
