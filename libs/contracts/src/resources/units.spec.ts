import { describe, expect, it } from 'vitest';
import { parseCpuMillis, parseDataSizeMib, parseDuration } from './index.js';

describe('durations', () => {
  it.each([
    ['500ms', 0.5],
    ['30s', 30],
    ['1.5h', 5400],
    ['1h30m', 5400],
    ['2d', 172_800],
    ['0s', 0],
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['30', '', 'm', '30 m', '30min', '-5s', '30m1h', '5s5s', '1e3s', `${'9'.repeat(400)}s`])('%j is none', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('data sizes', () => {
  it.each([
    ['4GiB', 4096],
    ['512MiB', 512],
    ['1KiB', 1],
    ['1GB', 954],
    ['1.5TiB', 1_572_864],
    ['0MiB', 0],
  ])('%s is %d MiB', (text, mib) => {
    expect(parseDataSizeMib(text)).toBe(mib);
  });

  it.each(['4', '4G', '4Gi', '4 GiB', '-1GiB', '4gib', `${'9'.repeat(400)}GiB`])('%j is none', (text) => {
    expect(parseDataSizeMib(text)).toBeNull();
  });
});

describe('cores', () => {
  it.each([
    [2, 2000],
    [0.5, 500],
    [0.001, 1],
    [1.1, 1100],
    [0, 0],
  ])('%d are %d thousandths', (cores, millis) => {
    expect(parseCpuMillis(cores)).toBe(millis);
  });

  it.each(['500m', '2', -1, 0.0001, Number.NaN, Number.POSITIVE_INFINITY, 5000, null])('%j are none', (cores) => {
    expect(parseCpuMillis(cores)).toBeNull();
  });
});
