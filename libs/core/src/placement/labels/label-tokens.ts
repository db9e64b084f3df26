import { type Phrase, type PhraseValue, phrase } from '../../phrases/index.js';
import { labelKeywords } from './label-expression.js';

export type LabelTokenKind = 'word' | 'keyword' | 'symbol' | 'end';

export interface LabelToken {
  kind: LabelTokenKind;
  /** The word without its quotes, the keyword in lower case, or the symbol itself. */
  text: string;
  /** Offset in the expression, from 0. */
  position: number;
}

/** Where an expression is wrong and what would have been right there. */
export interface LabelSyntaxError {
  position: number;
  expected: Phrase;
  /** Place, what was expected and what was found. */
  text: Phrase;
}

export function labelSyntaxError(position: number, expected: Phrase, found: PhraseValue): LabelSyntaxError {
  return { position, expected, text: phrase('labels-fault', { position: position + 1, expected, found }) };
}

const tokenPattern = /\s*(?:([\p{L}\p{N}_./:@+-]+)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(!=|[=(),]))/uy;

/** Splits the text; stops with an error at the first character that starts no token. */
export function tokenizeLabels(text: string): { ok: true; tokens: LabelToken[] } | { ok: false; error: LabelSyntaxError } {
  const tokens: LabelToken[] = [];
  const end = text.trimEnd().length;
  let offset = 0;
  while (offset < end) {
    tokenPattern.lastIndex = offset;
    const match = tokenPattern.exec(text);
    if (!match) return { ok: false, error: strayCharacter(text, offset + (/^\s*/.exec(text.slice(offset))?.[0].length ?? 0)) };
    const [whole, word, quoted, symbol] = match;
    const position = offset + whole.length - (word ?? quoted ?? symbol ?? '').length;
    tokens.push(toToken(position, word, quoted, symbol));
    offset += whole.length;
  }
  tokens.push({ kind: 'end', text: '', position: text.length });
  return { ok: true, tokens };
}

function toToken(position: number, word?: string, quoted?: string, symbol?: string): LabelToken {
  if (quoted !== undefined) return { kind: 'word', text: quoted.slice(1, -1).replace(/\\(.)/gsu, '$1'), position };
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, position };
  const text = word ?? '';
  return labelKeywords.has(text.toLowerCase()) ? { kind: 'keyword', text: text.toLowerCase(), position } : { kind: 'word', text, position };
}

function strayCharacter(text: string, position: number): LabelSyntaxError {
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
  const isQuote = character === '"' || character === "'";
  const expected = isQuote ? phrase('labels-closing-quote', { quote: character }) : phrase('labels-token');
  return labelSyntaxError(position, expected, character);
}
