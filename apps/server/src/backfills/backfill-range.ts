import { AppError, fieldError, isCalendarDate, type Phrase, phrase, startOfDay } from '@medley/core';

export interface BackfillRange {
  fromMs: number;
  /** Included; never in the future, since the fires to come are the schedule's own. */
  toMs: number;
}

/** The instants that a range of days of a zone, or of instants, reaches from and to. Throws validation-failed for one that is empty or wholly to come. */
export function rangeOf({ from, to }: { from: string; to: string }, zone: string, nowMs: number): BackfillRange {
  const fromMs = isCalendarDate(from) ? startOfDay(from, zone) : Date.parse(from);
  const toMs = isCalendarDate(to) ? startOfDay(dayAfter(to), zone) - 1 : Date.parse(to);
  if (toMs < fromMs) throw refused('to', phrase('range-backwards', { from, to }));
  if (fromMs > nowMs) throw refused('from', phrase('range-to-come', { from }));
  return { fromMs, toMs: Math.min(toMs, nowMs) };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

function refused(path: string, text: Phrase): AppError {
  return new AppError('validation-failed', text, [fieldError(path, text)]);
}
