import type { ExpressionValue } from '../expressions/index.js';
import { type Phrase, phrase } from '../phrases/index.js';

export type Outputs = Readonly<Record<string, ExpressionValue>>;

export type ReadOutputs = { ok: true; outputs: Outputs } | { ok: false; fault: Phrase };

/** So much a task may write to the file of its outputs, and so many names. */
export const maxOutputBytes = 64 * 1024;
export const maxOutputs = 100;
/** So many bytes the outputs of all items of a mapped task may take together, the nulls of what items did not give included. */
export const maxGatheredBytes = 1024 * 1024;

const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/**
 * What a task has written: lines of `name=value`, or of JSON objects whose entries are outputs. A later line wins over an earlier one. Exceeding a limit is
 * an error, never a cut. `bytes` is the length of the file.
 */
export function readOutputs(text: string, bytes: number): ReadOutputs {
  if (bytes > maxOutputBytes) return refuse(phrase('outputs-too-long', { bytes, limit: maxOutputBytes }));
  const outputs = new Map<string, ExpressionValue>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const read = line.trimStart().startsWith('{') ? readJson(line, index + 1) : readPlain(line, index + 1);
    if (!Array.isArray(read)) return refuse(read);
    for (const [name, value] of read) {
      if (!namePattern.test(name)) {
        return refuse(phrase('output-name', { line: index + 1, name: name.slice(0, 40) }));
      }
      outputs.set(name, value);
    }
  }
  if (outputs.size > maxOutputs) return refuse(phrase('outputs-too-many', { count: outputs.size, limit: maxOutputs }));
  return { ok: true, outputs: Object.fromEntries(outputs) };
}

function readPlain(line: string, number: number): [string, ExpressionValue][] | Phrase {
  const at = line.indexOf('=');
  if (at < 0) return phrase('output-line-plain', { line: number, text: line.slice(0, 40) });
  return [[line.slice(0, at).trim(), readValue(line.slice(at + 1))]];
}

/** A text that JSON would write just so for a number, true or false is that value; any other stays a text. So nothing changes where it is inserted as text. */
function readValue(text: string): ExpressionValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && String(number) === text ? number : text;
}

function readJson(line: string, number: number): [string, ExpressionValue][] | Phrase {
  try {
    return Object.entries(JSON.parse(line) as Record<string, ExpressionValue>);
  } catch (error) {
    return phrase('output-line-json', { line: number, why: (error as Error).message });
  }
}

function refuse(fault: Phrase): ReadOutputs {
  return { ok: false, fault };
}
