import { describe, expect, it } from 'vitest';
import { isPathBelow, matchesFilePattern } from './index.js';

describe('a pattern of working files', () => {
  it.each([
    ['*.parquet', 'part.parquet', true],
    ['*.parquet', 'sub/part.parquet', false],
    ['**/*.parquet', 'part.parquet', true],
    ['**/*.parquet', 'a/b/part.parquet', true],
    ['out/**', 'out/a/b', true],
    ['out/**', 'other/a', false],
    ['day-??.csv', 'day-07.csv', true],
    ['day-??.csv', 'day-7.csv', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['report.txt', 'report.txt', true],
    ['report.txt', 'reportXtxt', false],
    ['表*.csv', '表一.csv', true],
  ])('%s and %s: %s', (pattern, path, matches) => {
    expect(matchesFilePattern(pattern, path)).toBe(matches);
  });

  it('is decided at once, however many stars there are', () => {
    expect(matchesFilePattern(`${'*a'.repeat(200)}b`, 'a'.repeat(400))).toBe(false);
  });

  it.each(['', '/etc/passwd', '../x', 'a/../b', 'a//b', 'a/', './a', 'a\\b', 'C:x', 'a\nb', 'a'.repeat(501), 'a\ud800'])(
    'may not be %j',
    (path) => {
      expect(isPathBelow(path)).toBe(false);
    },
  );

  it.each(['a', 'a/b.c', '..a/b..', '*.parquet', 'a/**/b'])('may be %j', (path) => {
    expect(isPathBelow(path)).toBe(true);
  });
});
