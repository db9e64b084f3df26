import { describe, expect, it } from 'vitest';
import { readICalendar } from './read-icalendar.js';

const now = Date.parse('2026-06-01T00:00:00Z');
const file = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n');
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

describe('an iCalendar file', () => {
  it('gives the days of its events, every one of several days and of those that are repeated', () => {
    const read = readICalendar(
      file(
        'X-WR-CALNAME:Holidays',
        ...event('SUMMARY:National Day', 'DTSTART;VALUE=DATE:20261001', 'DTEND;VALUE=DATE:20261003'),
        ...event('SUMMARY:New Year', 'DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=YEARLY'),
        ...event('SUMMARY:A talk', 'DTSTART:20261001T080000Z'),
      ),
      now,
    );
    expect(read).toMatchObject({ name: 'Holidays', left: 1, until: '2031-12-31' });
    expect(Object.keys(read.days).toSorted()).toEqual([
      ...['2025-01-01', '2026-01-01', '2026-10-01', '2026-10-02'],
      ...['2027-01-01', '2028-01-01', '2029-01-01', '2030-01-01', '2031-01-01'],
    ]);
    expect(read.days['2026-10-02']).toBe('National Day');
  });

  it.each([
    [file('nonsense'), 3],
    [file('BEGIN:VEVENT', 'DTSTART;VALUE=DATE:2026-10-01', 'END:VEVENT'), 4],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR', 3],
    ['BEGIN:VEVENT\nEND:VEVENT', 1],
  ])('that cannot be read is refused with the line, case %#', (text, line) => {
    expect(() => readICalendar(text, now)).toThrow(expect.objectContaining({ fields: [expect.objectContaining({ path: 'text', line })] }));
  });

  it.each(['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;BYDAY=1MO'])(
    'with the rule %s, which never comes to a day, is refused in time',
    (rule) => {
      const text = file(...event('DTSTART;VALUE=DATE:20260101', `RRULE:${rule}`));
      expect(() => readICalendar(text, now)).toThrow(expect.objectContaining({ code: 'validation-failed' }));
    },
  );
});
