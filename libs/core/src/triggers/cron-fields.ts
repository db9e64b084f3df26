import { Cron } from 'croner';

export type CronFieldName = 'second' | 'minute' | 'hour' | 'day of month' | 'month' | 'weekday';

interface CronField {
  name: CronFieldName;
  min: number;
  max: number;
  /** Characters besides digits and `* , - /`. */
  extra: string;
  names: string[];
  expected: string;
}

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const weekdays = 'SUN MON TUE WED THU FRI SAT'.split(' ');
const shapes = '`*`, lists `a,b`, ranges `a-b`, steps `*/n`';

const fields: CronField[] = [
  { name: 'second', min: 0, max: 59, extra: '', names: [], expected: `0 to 59: ${shapes}` },
  { name: 'minute', min: 0, max: 59, extra: '', names: [], expected: `0 to 59: ${shapes}` },
  { name: 'hour', min: 0, max: 23, extra: '', names: [], expected: `0 to 23: ${shapes}` },
  {
    name: 'day of month',
    min: 1,
    max: 31,
    extra: '?LW',
    names: [],
    expected: `1 to 31: ${shapes}, \`L\` last, \`15W\` nearest working day`,
  },
  { name: 'month', min: 1, max: 12, extra: '', names: months, expected: `1 to 12 or JAN to DEC: ${shapes}` },
  {
    name: 'weekday',
    min: 0,
    max: 7,
    extra: '?L#',
    names: weekdays,
    expected: `0 to 7 (Sunday is 0 and 7) or SUN to SAT: ${shapes}, \`5L\`, \`MON#2\``,
  },
];

export interface CronFault {
  /** Null when the expression as a whole is at fault. */
  field: CronFieldName | null;
  reason: string;
  expected: string;
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

function faultOf(field: CronField, text: string): string | null {
  return characterFault(field, text) ?? rangeFault(field, text) ?? syntaxFault(field, text);
}

function characterFault(field: CronField, text: string): string | null {
  const unnamed = field.names.reduce((rest, name) => rest.replaceAll(name, ''), text.toUpperCase());
  const strange = [...unnamed].find((character) => !`0123456789*,-/${field.extra}`.includes(character));
  return strange === undefined ? null : `\`${text}\` has \`${strange}\`, which has no meaning in this field`;
}

function rangeFault(field: CronField, text: string): string | null {
  for (const item of text.split(',')) {
    const [range, step] = item.split('/', 2);
    const numbers = range!.split('#', 1)[0]!.match(/\d+/g) ?? [];
    const outside = numbers.find((digits) => Number(digits) < field.min || Number(digits) > field.max);
    if (outside !== undefined) return `${outside} is outside of ${field.min} to ${field.max}`;
    if (step !== undefined && /^\d+$/.test(range!))
      return `\`${item}\` starts a step at one number; write \`${range}-${field.max}/${step}\``;
  }
  return null;
}

/** Lets the cron library read the field with all others open. */
function syntaxFault(field: CronField, text: string): string | null {
  const expression = fields.map((each) => (each === field ? text : '*')).join(' ');
  try {
    new Cron(expression, { paused: true, mode: '6-part' });
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `\`${text}\` cannot be read: ${message.replace(/^CronPattern: (Syntax error, )?/, '')}`;
  }
}
