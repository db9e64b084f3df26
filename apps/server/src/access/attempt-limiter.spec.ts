import { describe, expect, it } from 'vitest';
import { AttemptLimiter } from './attempt-limiter.js';

describe('the attempt limiter', () => {
  it('is exhausted after so many failures within the window and recovers when they are old', () => {
    let now = 0;
    const limiter = new AttemptLimiter(2, 1000, () => now);
    limiter.recordFailure('ada');
    expect(limiter.isExhausted('ada')).toBe(false);
    limiter.recordFailure('ada');
    expect(limiter.isExhausted('ada')).toBe(true);
    expect(limiter.isExhausted('bob')).toBe(false);
    now = 1001;
    expect(limiter.isExhausted('ada')).toBe(false);
  });

  it('keeps no more keys than it was told', () => {
    const limiter = new AttemptLimiter(1, 1000, () => 0, 2);
    for (const key of ['a', 'b', 'c']) limiter.recordFailure(key);
    expect(['a', 'b', 'c'].map((key) => limiter.isExhausted(key))).toEqual([false, true, true]);
  });
});
