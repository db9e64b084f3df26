import { Cron } from 'croner';
import { type Phrase, phrase } from '../phrases/index.js';

export type CronFieldName = 'second' | 'minute' | 'hour' | 'day of month' | 'month' | 'weekday' | 'year';

interface CronField {
  name: CronFieldName;
  min: number;
  max: number;
  /** Characters besides digits and `* , - /`. */
  extra: string;
  names: string[];
  expected: Phrase;
}

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const weekdays = 'SUN MON TUE WED THU FRI SAT'.split(' ');
const shapes = phrase('cron-shapes');
const plainForm = (min: number, max: number) => phrase('cron-plain-form', { min, max, shapes });

const fields: CronField[] = [
  { name: 'second', min: 0, max: 59, extra: '', names: [], expected: plainForm(0, 59) },
  { name: 'minute', min: 0, max: 59, extra: '', names: [], expected: plainForm(0, 59) },
  { name: 'hour', min: 0, max: 23, extra: '', names: [], expected: plainForm(0, 23) },
  {
    name: 'day of month',
    min: 1,
    max: 31,
    extra: '?LW',
    names: [],
    expected: phrase('cron-day-form', { shapes }),
  },
  { name: 'month', min: 1, max: 12, extra: '', names: months, expected: phrase('cron-month-form', { shapes }) },
  {
    name: 'weekday',
    min: 0,
    max: 7,
    extra: '?L#',
    names: weekdays,
    expected: phrase('cron-weekday-form', { shapes }),
  },
];

export interface CronFault {
  /** Null when the expression as a whole is at fault. */
  field: CronFieldName | null;
  reason: Phrase;
  expected: Phrase;
}

/** The fault of the first field that is not cron, or null. Looks at each field alone, so that the right one is named. */
export function cronFieldFault(texts: readonly string[]): CronFault | null {
  const used = texts.length === 5 ? fields.slice(1) : fields;
  for (const [index, field] of used.entries()) {
    const reason = faultOf(field, texts[index]!);
    if (reason !== null) return { field: field.name, reason, expected: field.expected };
  }
  return null;
}

function faultOf(field: CronField, text: string): Phrase | null {
  return characterFault(field, text) ?? rangeFault(field, text) ?? syntaxFault(field, text);
}

function characterFault(field: CronField, text: string): Phrase | null {
  const unnamed = field.names.reduce((rest, name) => rest.replaceAll(name, ''), text.toUpperCase());
  const strange = [...unnamed].find((character) => !`0123456789*,-/${field.extra}`.includes(character));
  return strange === undefined ? null : phrase('cron-character', { text, character: strange });
}

function rangeFault(field: CronField, text: string): Phrase | null {
  for (const item of text.split(',')) {
    const [range, step] = item.split('/', 2);
    const numbers = range!.split('#', 1)[0]!.match(/\d+/g) ?? [];
    const outside = numbers.find((digits) => Number(digits) < field.min || Number(digits) > field.max);
    if (outside !== undefined) return phrase('outside-range', { value: outside, min: field.min, max: field.max });
    if (step !== undefined && /^\d+$/.test(range!)) return phrase('cron-step-at-number', { item, better: `${range}-${field.max}/${step}` });
  }
  return null;
}

/** Lets the cron library read the field with all others open. */
function syntaxFault(field: CronField, text: string): Phrase | null {
  const expression = fields.map((each) => (each === field ? text : '*')).join(' ');
  try {
    new Cron(expression, { paused: true, mode: '6-part' });
    return null;
  } catch {
    return phraseOfSyntax(text);
  }
}

/** The library's own words are English only, so the common slips are told by us. */
function phraseOfSyntax(text: string): Phrase {
  for (const item of text.split(',')) {
    if (item === '') return phrase('cron-item-empty', { text });
    if (/\/0*$/.test(item)) return phrase('cron-step-zero', { item });
    const [, from, to] = /^(\d+)-(\d+)/.exec(item) ?? [];
    if (Number(from) > Number(to)) return phrase('cron-range-backwards', { item });
  }
  return phrase('cron-unreadable', { text });
}

/** What each field is called. */
export const cronFieldPhrases = {
  second: phrase('cron-second'),
  minute: phrase('cron-minute'),
  hour: phrase('cron-hour'),
  'day of month': phrase('cron-day-of-month'),
  month: phrase('cron-month'),
  weekday: phrase('cron-weekday'),
  year: phrase('cron-year'),
} as const satisfies Record<CronFieldName, Phrase>;

/** What is wrong with an expression, after the name of the field that it is wrong with. */
export function cronFaultPhrase({ field, reason }: Pick<CronFault, 'field' | 'reason'>): Phrase {
  return field === null ? reason : phrase('cron-field-fault', { field: cronFieldPhrases[field], fault: reason });
}
