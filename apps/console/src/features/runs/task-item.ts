import type { TaskRunItem } from '@medley/contracts';

const longest = 60;

/** The item of an instance in short: texts as they are, everything else as JSON. */
export function itemText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

type Translate = (key: string, values: Record<string, unknown>) => string;

/** What an instance is called: its item, or which iteration it is, from 1. */
export function partText({ item, itemValue }: Pick<TaskRunItem, 'item' | 'itemValue'>, t: Translate): string {
  return itemValue === null || itemValue === undefined ? t('parts.iteration', { number: (item ?? 0) + 1 }) : itemText(itemValue);
}
