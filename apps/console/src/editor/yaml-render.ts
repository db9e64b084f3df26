import { Document, type YAMLSeq } from 'yaml';

const lineWidth = 0;

/** A value on one line, as it stands within `{ }` and `[ ]`: `[a, b]`, `{ a: 1 }`. */
export function renderFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderFlow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalar(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${scalar(key)}: ${renderFlow(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Rendered within a list, so that it is quoted where commas and brackets would mislead. */
function scalar(value: unknown): string {
  if (typeof value === 'string' && value.includes('\n')) return JSON.stringify(value);
  const document = new Document([value]);
  (document.contents as YAMLSeq).flow = true;
  return document.toString({ lineWidth, flowCollectionPadding: false, blockQuote: false }).trim().slice(1, -1);
}

/**
 * A value behind the colon of a key in the given column: on the same line where it is short, else in lines of its own. Begins with the space or the line break;
 * `inLines` keeps a map off the line of its key.
 */
export function renderBlock(value: unknown, column: number, indent: number, inLines = false): string {
  if (typeof value === 'string' && value.includes('\n')) return ` ${literal(value, column, indent)}`;
  if (typeof value !== 'object' || value === null) return ` ${renderFlow(value)}`;
  const flow = renderFlow(value);
  if (Object.keys(value).length === 0 || (!inLines && isFlat(value) && column + flow.length < 80)) return ` ${flow}`;
  const inner = column + indent;
  const pad = ' '.repeat(inner);
  if (Array.isArray(value)) return value.map((each) => `\n${pad}- ${renderFlow(each)}`).join('');
  return Object.entries(value)
    .map(([key, each]) => `\n${pad}${scalar(key)}:${renderBlock(each, inner, indent)}`)
    .join('');
}

function isFlat(value: object): boolean {
  return Object.values(value).every((each) => typeof each !== 'object' && !(typeof each === 'string' && each.includes('\n')));
}

/** A text of several lines as a literal block, which shows a script as it is. */
function literal(text: string, column: number, indent: number): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  if (/^[ \t]/.test(lines[0]!) || /(?![\n\t])\p{Cc}/u.test(text)) return JSON.stringify(text);
  const trailing = text.length - text.replace(/\n+$/, '').length;
  const chomp = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const body = lines.map((line) => (line === '' ? '' : ' '.repeat(column + indent) + line)).join('\n');
  return `|${chomp}\n${body}${trailing > 1 ? '\n'.repeat(trailing - 1) : ''}`;
}
