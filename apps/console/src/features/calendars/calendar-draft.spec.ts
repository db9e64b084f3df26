import { describe, expect, it } from 'vitest';
import { daysOfText, firstYearOf, textOfDays, yearOf } from './calendar-draft.js';

describe('the form of a calendar', () => {
  it('reads days one a line with their names, and tells the lines that are none', () => {
    const text = '2026-10-01 National Day\n\n2026-02-30\n2026-10-02\n2026-10-033';
    expect(daysOfText(text)).toEqual({ days: { '2026-10-01': 'National Day', '2026-10-02': '' }, faults: [3, 5] });
    expect(textOfDays({ '2026-10-02': '', '2026-10-01': 'National Day' })).toBe('2026-10-01 National Day\n2026-10-02');
  });

  it('begins with the present year, or the nearest one that has days', () => {
    const first = (excluded: string, working = '') => firstYearOf({ excluded, working }, 2026);
    expect([first(''), first('2025-01-01\n2026-01-01'), first('2028-01-01', '2027-01-01'), first('2024-01-01\n2023-01-01')]).toEqual([
      2026, 2026, 2027, 2024,
    ]);
  });

  it('shows a year in which extra working days win', () => {
    const days = { weekend: [0, 6], excluded: new Map([['2026-10-01', 'National Day']]), working: new Map([['2026-10-10', 'make-up']]) };
    const october = yearOf(days, 2026)[9]!;
    expect(october).toMatchObject({ month: '2026-10', blanks: 3 });
    expect(october.days.filter(({ kind }) => kind === 'excluded').map(({ day }) => day)).toEqual(['2026-10-01']);
    expect(october.days[9]).toMatchObject({ kind: 'working', name: 'make-up' });
    expect(october.days[10]!.kind).toBe('weekend');
  });
});
