import { describe, expect, it } from 'vitest';
import { nearestName } from './index.js';

const keys = ['needs', 'env', 'resources', 'timeout', 'labels', 'onLeaseLost'];

describe('the nearest name', () => {
  it.each([
    ['need', 'needs'],
    ['nedes', 'needs'],
    ['resource', 'resources'],
    ['timeuot', 'timeout'],
    ['onleaselost', 'onLeaseLost'],
    ['evn', 'env'],
  ])('of %s is %s', (typed, meant) => {
    expect(nearestName(typed, keys)).toBe(meant);
  });

  it('is none when nothing is close', () => {
    expect(nearestName('kubernetes', keys)).toBeNull();
    expect(nearestName('x'.repeat(100_000), keys)).toBeNull();
    expect(nearestName('a', [])).toBeNull();
  });
});
