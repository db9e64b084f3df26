import { describe, expect, it } from 'vitest';
import { elapsedBetween, formatDuration } from './duration.js';

const patterns: Record<string, string> = {
  'duration.milliseconds': '{ms} ms',
  'duration.seconds': '{s} s',
  'duration.minutes': '{m} m {s} s',
  'duration.hours': '{h} h {m} m',
  'duration.days': '{d} d {h} h',
};
const t = (key: string, values: Record<string, unknown>) => patterns[key]!.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [420, '420 ms'],
    [999.6, '1000 ms'],
    [1_000, '1.0 s'],
    [9_990, '9.9 s'],
    [59_999, '59 s'],
    [133_000, '2 m 13 s'],
    [3_600_000, '1 h 0 m'],
    [187_200_000, '2 d 4 h'],
    [-5, '0 ms'],
  ])('of %d ms read %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds, t)).toBe(text);
  });

  it('count an open end to now and have no length before the start', () => {
    expect(elapsedBetween('2026-01-01T00:00:00Z', null, Date.parse('2026-01-01T00:00:05Z'))).toBe(5000);
    expect(elapsedBetween(null, null, 0)).toBeNull();
  });
});
