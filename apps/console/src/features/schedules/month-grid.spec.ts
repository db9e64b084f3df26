import { describe, expect, it } from 'vitest';
import { clockIn, monthTitle, shiftMonth, weeksOf } from './month-grid.js';

describe('a month', () => {
  it('is laid out by weeks from Monday on', () => {
    const weeks = weeksOf('2026-11');
    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(weeks[5]).toEqual(['2026-11-30', null, null, null, null, null, null]);
  });

  it('goes over the end of a year', () => {
    expect(shiftMonth('2026-12', 1)).toBe('2027-01');
    expect(shiftMonth('2026-01', -1)).toBe('2025-12');
  });

  it('has its name in the language, and a clock in its zone', () => {
    expect(monthTitle('2026-11', 'en')).toBe('November 2026');
    expect(monthTitle('2026-11', 'zh-CN')).toBe('2026年11月');
    expect(clockIn('2026-11-01T18:30:00Z', 'Asia/Shanghai', 'en')).toBe('02:30');
    expect(clockIn('2027-01-01T18:30:00Z', 'Asia/Shanghai', 'en', true)).toBe('Sat, Jan 2, 2027, 02:30');
  });
});
