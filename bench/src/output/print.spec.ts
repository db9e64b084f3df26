import { describe, expect, it } from 'vitest';
import { formatTable, rounded } from './print.js';

describe('tables', () => {
  it('aligns names to the left and figures to the right', () => {
    expect(
      formatTable([
        ['name', 'n'],
        ['a', 1],
        ['bcd', 100],
      ]),
    ).toBe('name    n\na       1\nbcd   100');
  });

  it('rounds figures to the decimals that are shown', () => {
    expect(rounded(1.23456, 2)).toBe(1.23);
  });
});
