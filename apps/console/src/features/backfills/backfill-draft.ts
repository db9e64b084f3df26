import type { BackfillDirection, BackfillFires, BackfillScope } from '@medley/contracts';
import type { ParameterDeclarations } from '@medley/core';
import { readParameter } from '../schedules/schedule-draft.js';

/** A backfill as the form holds it: days of the schedule's zone, values as texts. */
export interface BackfillDraft {
  from: string;
  to: string;
  fires: BackfillFires;
  direction: BackfillDirection;
  parallel: number;
  parameters: Record<string, string>;
}

/** The last week, yesterday included, by the calendar of a zone. */
export function draftOfBackfill(today: string): BackfillDraft {
  return { from: dayBefore(today, 7), to: dayBefore(today, 1), fires: 'missing', direction: 'oldest-first', parallel: 1, parameters: {} };
}

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);
}

/** What the form asks for; null while a field has a fault that is told beside it. */
export function scopeOf({ from, to, fires, parameters }: BackfillDraft, declarations: ParameterDeclarations): BackfillScope | null {
  const values: [string, unknown][] = [];
  for (const [name, text] of Object.entries(parameters)) {
    const reading = declarations[name] && readParameter(declarations[name], text);
    if (!reading?.ok) return null;
    values.push([name, reading.value]);
  }
  return from === '' || to === '' || from > to ? null : { from, to, fires, parameters: Object.fromEntries(values) };
}
