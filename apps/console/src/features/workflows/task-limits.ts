import type { TaskDefinition } from '@medley/contracts';

/** A limit that a task takes slots of; the slots as text, empty for one. */
export interface DraftLimit {
  name: string;
  slots: string;
}

type Limits = TaskDefinition['limits'];

/** The limits of a task as the form holds them. */
export function draftLimits(limits: Limits): DraftLimit[] {
  if (Array.isArray(limits)) return limits.map((name) => ({ name, slots: '' }));
  return Object.entries(limits ?? {}).map(([name, slots]) => ({ name, slots: String(slots) }));
}

/** What a draft says in the file: as it was while nothing has changed, a list where each is taken once, or a map of slots. What is no number stays a text, so that the check tells it. */
export function limitsOf(draft: readonly DraftLimit[], before: Limits): unknown {
  if (JSON.stringify(draft) === JSON.stringify(draftLimits(before))) return before;
  const named = draft.filter(({ name }) => name.trim() !== '');
  if (named.length === 0) return undefined;
  if (named.every(({ slots }) => slots.trim() === '')) return named.map(({ name }) => name.trim());
  return Object.fromEntries(named.map(({ name, slots }) => [name.trim(), slotsOf(slots.trim())]));
}

function slotsOf(text: string): number | string {
  if (text === '') return 1;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
