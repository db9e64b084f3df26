import { type Phrase, phrase } from '../phrases/index.js';
import type { CronFault, CronFieldName } from './cron-fields.js';

interface QuartzField {
  name: CronFieldName;
  min: number;
  max: number;
  names: readonly string[];
  expected: Phrase;
  /** What only this field understands, as a Unix field has it; null for anything else. */
  special?: (item: string) => string | null;
}

const shapes = phrase('cron-quartz-shapes');
const plainForm = (min: number, max: number) => phrase('cron-plain-form', { min, max, shapes });
const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const weekdays = 'SUN MON TUE WED THU FRI SAT'.split(' ');

const fields: readonly QuartzField[] = [
  { name: 'second', min: 0, max: 59, names: [], expected: plainForm(0, 59) },
  { name: 'minute', min: 0, max: 59, names: [], expected: plainForm(0, 59) },
  { name: 'hour', min: 0, max: 23, names: [], expected: plainForm(0, 23) },
  {
    name: 'day of month',
    min: 1,
    max: 31,
    names: [],
    expected: phrase('cron-quartz-day-form', { shapes }),
    special: (item) => (/^(L|LW|L-([1-9]|[12]\d|30)W?|([1-9]|[12]\d|3[01])W)$/.test(item) ? item : null),
  },
  { name: 'month', min: 1, max: 12, names: months, expected: phrase('cron-month-form', { shapes }) },
  {
    name: 'weekday',
    min: 1,
    max: 7,
    names: weekdays,
    expected: phrase('cron-quartz-weekday-form', { shapes }),
    special: specialWeekday,
  },
  { name: 'year', min: 1970, max: 2099, names: [], expected: plainForm(1970, 2099) },
];

const itemPattern = /^(?:(\*)|([A-Z]{3}|\d{1,4})(?:-([A-Z]{3}|\d{1,4}))?)?(?:\/(\d{1,4}))?$/;

export type UnixFields = { ok: true; fields: string[] } | { ok: false; fault: CronFault };

/**
 * The seven fields (second first, year last) that say in Unix's way what six or seven Quartz fields say: weekdays from Sunday = 0, no `?`, ranges that do not wrap. Exactly one
 * of day of month and weekday has to be `?`, as with Quartz itself.
 */
export function unixFieldsOfQuartz(texts: readonly string[]): UnixFields {
  const translated: string[] = [];
  for (const [index, field] of fields.entries()) {
    const text = (texts[index] ?? '*').toUpperCase();
    const read = readField(field, text);
    if ('reason' in read) return { ok: false, fault: { field: field.name, reason: read.reason, expected: field.expected } };
    translated.push(read.text);
  }
  if ((texts[3] === '?') === (texts[5] === '?')) {
    const reason = phrase('cron-quartz-days', { day: texts[3]!, weekday: texts[5]! });
    return { ok: false, fault: { field: 'weekday', reason, expected: phrase('cron-quartz-days-form') } };
  }
  return { ok: true, fields: translated };
}

type Read = { text: string } | { reason: Phrase };

function readField(field: QuartzField, text: string): Read {
  if (text === '?' && field.special !== undefined) return { text: '*' };
  const items: string[] = [];
  for (const item of text.split(',')) {
    const special = field.special?.(item) ?? null;
    const read = special === null ? readItem(field, item) : { text: special };
    if ('reason' in read) return read;
    items.push(read.text);
  }
  return { text: items.join(',') };
}

function readItem(field: QuartzField, item: string): Read {
  const match = itemPattern.exec(item);
  if (match === null || item === '') return { reason: phrase('cron-item-meaningless', { item }) };
  const [, star, fromText, toText, step] = match;
  if (step !== undefined && Number(step) === 0) return { reason: phrase('cron-step-zero', { item }) };
  const stepText = step === undefined ? '' : `/${step}`;
  if (star !== undefined || fromText === undefined) return { text: `*${stepText}` };
  const from = numberOf(field, fromText);
  const to = toText === undefined ? null : numberOf(field, toText);
  const outside = [from, to].findIndex((number) => number !== null && !(number >= field.min && number <= field.max));
  if (outside >= 0) return { reason: phrase('outside-range', { value: [fromText, toText][outside]!, min: field.min, max: field.max }) };
  if (to === null) return { text: step === undefined ? shown(field, from) : ranged(field, from, field.max, stepText) };
  if (to >= from) return { text: ranged(field, from, to, stepText) };
  if (field.name === 'year') return { reason: phrase('cron-range-backwards', { item }) };
  return { text: wrapped(field, from, to, Number(step ?? 1)) };
}

function numberOf(field: QuartzField, text: string): number {
  const index = field.names.indexOf(text);
  return index >= 0 ? index + field.min : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A number as Unix counts it: weekdays from 0. */
const shown = (field: QuartzField, number: number) => String(field.name === 'weekday' ? number - 1 : number);
const ranged = (field: QuartzField, from: number, to: number, step: string) => `${shown(field, from)}-${shown(field, to)}${step}`;

/** A range over the end, such as FRI-MON or 22-2, as two. The step goes on over the end. */
function wrapped(field: QuartzField, from: number, to: number, step: number): string {
  const size = field.max - field.min + 1;
  const again = from + Math.ceil((field.max + 1 - from) / step) * step - size;
  const first = ranged(field, from, field.max, step === 1 ? '' : `/${step}`);
  return again > to ? first : `${first},${ranged(field, again, to, step === 1 ? '' : `/${step}`)}`;
}

/** `L` alone is Saturday; `6L` the last Friday of the month; `2#1` its first Monday. */
function specialWeekday(item: string): string | null {
  if (item === 'L') return '6';
  const match = /^([A-Z]{3}|[1-7])(L|#[1-5])$/.exec(item);
  if (match === null) return null;
  const number = weekdays.includes(match[1]!) ? weekdays.indexOf(match[1]!) : Number(match[1]) - 1;
  return Number.isNaN(number) ? null : `${number}${match[2]}`;
}
