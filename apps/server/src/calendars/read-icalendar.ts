import { runInNewContext } from 'node:vm';
import { type ICalendarDays, maxCalendarDays } from '@medley/contracts';
import { AppError, fieldError, type Phrase, phrase } from '@medley/core';
import ICAL from 'ical.js';

/** Repeated events are followed from the last year to so many years ahead. */
const YEARS_AHEAD = 5;
const DAY_MS = 86_400_000;
const MOST_STEPS = 20_000;
/** ical.js looks for the next day of some rules (30 February) for ever; nothing but a time limit ends that. */
const MOST_MS = 1_000;

/**
 * The days that the events of an iCalendar text cover (RFC 5545), with their summaries. Events of hours are counted only: they say nothing about a day. Throws
 * validation-failed with the line of what cannot be read.
 */
export function readICalendar(text: string, nowMs: number): ICalendarDays {
  try {
    return runInNewContext('read()', { read: () => daysOf(text, nowMs) }, { timeout: MOST_MS }) as ICalendarDays;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // A rule that ical.js refuses, or does not come to an end with.
    throw refusal(1, phrase('icalendar-none'));
  }
}

function daysOf(text: string, nowMs: number): ICalendarDays {
  const root = componentOf(text);
  const year = new Date(nowMs).getUTCFullYear();
  const [from, until] = [`${year - 1}-01-01`, `${year + YEARS_AHEAD}-12-31`];
  const days: Record<string, string> = {};
  let left = 0;
  for (const component of root.getAllSubcomponents('vevent')) {
    const event = new ICAL.Event(component);
    if (!event.startDate?.isDate) left += 1;
    else addDays(days, event, { from, until });
  }
  if (Object.keys(days).length > maxCalendarDays) throw refusal(1, phrase('too-many-calendar-days', { limit: maxCalendarDays }));
  return { name: root.getFirstPropertyValue('x-wr-calname')?.toString() ?? null, days, left, until };
}

function addDays(days: Record<string, string>, event: ICAL.Event, { from, until }: { from: string; until: string }): void {
  const length = Math.min(Math.max(1, Math.round(event.duration.toSeconds() / 86_400)), 366);
  const add = (start: string) => {
    for (let index = 0; index < length; index++) {
      const day = new Date(Date.parse(`${start}T00:00:00Z`) + index * DAY_MS).toISOString().slice(0, 10);
      if (day >= from && day <= until) days[day] = (event.summary ?? '').slice(0, 200);
    }
  };
  if (!event.isRecurring()) {
    add(event.startDate.toString());
    return;
  }
  const fires = event.iterator();
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const day = fires.next()?.toString();
    if (day === undefined || day > until) return;
    add(day);
  }
}

function componentOf(text: string): ICAL.Component {
  const fault = lineFault(text);
  if (fault !== null) throw refusal(fault.line, phrase('icalendar-line', { line: fault.line, text: fault.text.slice(0, 80) }));
  try {
    const root = new ICAL.Component(ICAL.parse(text));
    if (root.name === 'vcalendar') return root;
  } catch {
    // told below: the lines are well-formed, but not the whole
  }
  throw refusal(1, phrase('icalendar-none'));
}

/** The first line that is no `NAME:value`, or that ends what was not begun; the library does not tell lines. */
function lineFault(text: string): { line: number; text: string } | null {
  const open: string[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [index, each] of lines.entries()) {
    const fault = { line: index + 1, text: each };
    if (each === '' || /^[ \t]/.test(each)) continue;
    if (!/^[A-Za-z0-9-]+[;:]/.test(each)) return fault;
    const [, verb, name] = /^(BEGIN|END):(.*)$/i.exec(each) ?? [];
    if (verb?.toUpperCase() === 'BEGIN') open.push(name!.trim().toUpperCase());
    if (verb?.toUpperCase() === 'END' && open.pop() !== name!.trim().toUpperCase()) return fault;
    const date = /^(?:DTSTART|DTEND)[^:]*:(.*)$/i.exec(each);
    if (date && !/^\d{8}(T\d{6}Z?)?$/.test(date[1]!.trim())) return fault;
  }
  return open.length === 0 ? null : { line: lines.length, text: `BEGIN:${open.at(-1)}` };
}

function refusal(line: number, text: Phrase): AppError {
  return new AppError('validation-failed', text, [{ ...fieldError('text', text), line }]);
}
