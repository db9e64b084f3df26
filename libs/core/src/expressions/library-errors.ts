import { type Phrase, phrase } from '../phrases/index.js';
import { ExpressionFailure } from './expression-value.js';
import type { ExpressionFault, Reference } from './references.js';

interface Masked {
  source: string;
  references: readonly Reference[];
}

/** What the library says of an expression, in the words of the expression: without its picture of the text, with the names as written. */
export function readLibraryError({ source, references }: Masked, error: unknown): ExpressionFault {
  const told = error as { summary?: string; message?: string; range?: { start: number }; cause?: unknown };
  if (!(error instanceof Error)) return { text: phrase('expression-unreadable', { english: String(error) }), offset: 0 };
  const offset = told.range?.start ?? 0;
  if (error instanceof ExpressionFailure) return { text: error.text, offset };
  const summary = (told.summary ?? error.message).split('\n')[0]!;
  const named = summary.replaceAll(/\b_(\d+)_*(?![A-Za-z0-9_])/g, (variable, index) => {
    const reference = references[Number(index)];
    return reference === undefined ? variable : source.slice(reference.offset, reference.offset + reference.length);
  });
  return { text: inOurWords(named), offset };
}

const typeWords: Readonly<Record<string, string>> = { string: 'text', double: 'number', int: 'number', bool: 'boolean', dyn: 'any' };

/** The library's names of types are no words of the workflow file. */
function inOurWords(message: string): Phrase {
  const worded = message
    .replaceAll(/dyn<([^<>]+)>/g, '$1')
    .replaceAll(/\b(string|double|int|bool|dyn)\b(?!\()/g, (type) => typeWords[type]!);
  const operation = /^(?:no such overload:|found no matching overload for) (.*)/i.exec(worded)?.[1];
  if (operation !== undefined) return phrase('no-operation', { operation });
  return phrase('expression-unreadable', { english: worded.charAt(0).toLowerCase() + worded.slice(1) });
}
