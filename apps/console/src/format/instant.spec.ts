import { describe, expect, it } from 'vitest';
import { formatAbsolute, formatRelative } from './instant.js';

const now = Date.parse('2026-06-01T12:00:00Z');

describe('absolute times', () => {
  it('count 24 hours and name their zone', () => {
    expect(formatAbsolute('2026-06-01T00:05:00Z', 'en')).toMatch(/\b\d\d:\d\d:00\b/);
    expect(formatAbsolute('2026-06-01T15:00:00Z', 'en')).not.toMatch(/[AP]M/);
  });
});

describe('relative times', () => {
  it('use the largest unit that fits and the reader’s language', () => {
    expect(formatRelative('2026-06-01T11:58:00Z', now, 'en')).toBe('2 min. ago');
    expect(formatRelative('2026-06-01T15:00:00Z', now, 'en')).toBe('in 3 hr.');
    expect(formatRelative('2026-06-01T11:58:00Z', now, 'zh-CN')).toContain('2');
  });

  it('become a date when they are far away', () => {
    expect(formatRelative('2026-01-01T12:00:00Z', now, 'en')).toContain('2026');
  });
});
