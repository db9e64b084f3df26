import { DateFault } from './date-functions.js';
import type { ExpressionFault, Reference } from './references.js';

interface Masked {
  source: string;
  references: readonly Reference[];
}

/** What the library says of an expression, in the words of the expression: without its picture of the text, with the names as written. */
export function readLibraryError({ source, references }: Masked, error: unknown): ExpressionFault {
  const told = error as { summary?: string; message?: string; range?: { start: number }; cause?: unknown };
  if (!(error instanceof Error)) return { message: String(error), offset: 0 };
  const summary = (error instanceof DateFault ? error.message : (told.summary ?? error.message)).split('\n')[0]!;
  const named = summary.replaceAll(/\b_(\d+)_*(?![A-Za-z0-9_])/g, (variable, index) => {
    const reference = references[Number(index)];
    return reference === undefined ? variable : source.slice(reference.offset, reference.offset + reference.length);
  });
  return { message: inOurWords(named), offset: told.range?.start ?? 0 };
}

const typeWords: Readonly<Record<string, string>> = { string: 'text', double: 'number', int: 'number', bool: 'boolean', dyn: 'any' };

/** The library's names of types are no words of the workflow file. */
function inOurWords(message: string): string {
  const worded = message
    .replaceAll(/dyn<([^<>]+)>/g, '$1')
    .replaceAll(/\b(string|double|int|bool|dyn)\b(?!\()/g, (type) => typeWords[type]!)
    .replace(/^(no such overload:|found no matching overload for) /i, 'there is no operation ');
  return worded.charAt(0).toLowerCase() + worded.slice(1);
}
