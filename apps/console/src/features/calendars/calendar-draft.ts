import type { CalendarView } from '@medley/contracts';
import { type CalendarDays, dayOff, isCalendarDate } from '@medley/core';

/** A calendar as the form holds it: its days one a line, `2026-10-01 National Day`. */
export interface CalendarDraft {
  name: string;
  description: string;
  weekend: number[];
  excluded: string;
  working: string;
}

export type Days = Record<string, string>;

export function draftOfCalendar(calendar: CalendarView | undefined): CalendarDraft {
  return {
    name: calendar?.name ?? '',
    description: calendar?.description ?? '',
    weekend: calendar?.weekend ?? [0, 6],
    excluded: textOfDays(calendar?.excluded ?? {}),
    working: textOfDays(calendar?.working ?? {}),
  };
}

export function textOfDays(days: Days): string {
  return Object.entries(days)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([day, name]) => `${day} ${name}`.trim())
    .join('\n');
}

/** The days of a text, and the numbers, from 1, of lines that begin with no day. */
export function daysOfText(text: string): { days: Days; faults: number[] } {
  const days: Days = {};
  const faults: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const day = trimmed.slice(0, 10);
    if (isCalendarDate(day) && /^(\s|$)/.test(trimmed.slice(10))) days[day] = trimmed.slice(10).trim().slice(0, 200);
    else faults.push(index + 1);
  }
  return { days, faults };
}

/** The year to show first: the present one, or when none of the days is in it, the next one that has some, or the last. */
export function firstYearOf({ excluded, working }: Pick<CalendarDraft, 'excluded' | 'working'>, present: number): number {
  const years = [excluded, working].flatMap((text) => Object.keys(daysOfText(text).days)).map((day) => Number(day.slice(0, 4)));
  if (years.length === 0 || years.includes(present)) return present;
  const coming = years.filter((year) => year > present);
  return coming.length > 0 ? Math.min(...coming) : Math.max(...years);
}

export interface YearDay {
  day: string;
  number: number;
  /** What the day is: as its weekday says, off by name, or worked although it would be off. */
  kind: 'work' | 'weekend' | 'excluded' | 'working';
  name: string;
}

/** The months of a year; `blanks` are the cells before the first day when weeks begin on Monday. */
export function yearOf(calendar: CalendarDays, year: number): { month: string; blanks: number; days: YearDay[] }[] {
  return Array.from({ length: 12 }, (_, index) => {
    const length = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
    const month = `${year}-${String(index + 1).padStart(2, '0')}`;
    const days = Array.from({ length }, (_each, at) => yearDay(calendar, `${month}-${String(at + 1).padStart(2, '0')}`, at + 1));
    return { month, blanks: (new Date(Date.UTC(year, index, 1)).getUTCDay() + 6) % 7, days };
  });
}

function yearDay(calendar: CalendarDays, day: string, number: number): YearDay {
  const worked = calendar.working.get(day);
  if (worked !== undefined) return { day, number, kind: 'working', name: worked };
  const off = dayOff(calendar, day);
  if (off === null) return { day, number, kind: 'work', name: '' };
  return off.code === 'day-excluded' ? { day, number, kind: 'excluded', name: off.name } : { day, number, kind: 'weekend', name: '' };
}
