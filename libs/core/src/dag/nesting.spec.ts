import { describe, expect, it } from 'vitest';
import { nestingBelow, pathTo } from './nesting.js';

const calls = (...pairs: string[]) => pairs.map((pair) => ({ from: pair[0]!, to: pair[1]! }));

describe('how deep workflows run each other', () => {
  it('is the longest way down', () => {
    expect(nestingBelow('a', [], 20)).toBe(0);
    expect(nestingBelow('a', calls('ab', 'ac', 'cb', 'bd', 'xy'), 20)).toBe(3);
  });

  it('ends beyond its limit, also where it goes round', () => {
    expect(nestingBelow('a', calls('ab', 'bc', 'cd'), 2)).toBe(3);
    expect(nestingBelow('a', calls('ab', 'ba'), 20)).toBe(21);
  });
});

describe('the way to a version', () => {
  it('is the shortest one, with both ends', () => {
    expect(pathTo('a', calls('ab', 'bc', 'cd', 'ad', 'de'), (each) => each === 'd')).toEqual(['a', 'd']);
    expect(pathTo('a', calls('ab', 'bc', 'ca'), (each) => each === 'a')).toEqual(['a', 'b', 'c', 'a']);
    expect(pathTo('a', calls('ab', 'bc', 'cb'), (each) => each === 'a')).toBeNull();
  });
});
