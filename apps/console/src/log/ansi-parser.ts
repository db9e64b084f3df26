import { type AnsiStyle, restyle } from './ansi-style.js';

/** What a terminal would do with a piece of output. */
export type AnsiToken =
  | { kind: 'text'; text: string; style: AnsiStyle }
  | { kind: 'line-feed' }
  | { kind: 'carriage-return' }
  | { kind: 'erase-line' };

const plain: AnsiStyle = {};
/** A sequence longer than this is no sequence. */
const maxSequence = 4096;

/**
 * Reads terminal output piece by piece; a sequence that is cut by the border of two pieces is completed by the next. Colours and
 * weights are kept, every other control sequence is dropped.
 */
export class AnsiParser {
  #style: AnsiStyle = plain;
  #rest = '';

  read(piece: string): AnsiToken[] {
    const input = this.#rest + piece;
    this.#rest = '';
    const tokens: AnsiToken[] = [];
    let start = 0;
    let at = 0;
    const flush = () => {
      if (at > start) tokens.push({ kind: 'text', text: input.slice(start, at), style: this.#style });
    };
    while (at < input.length) {
      const code = input.charCodeAt(at);
      if (code >= 32 || code === 9) {
        at += 1;
        continue;
      }
      flush();
      const next = code === 27 ? this.#sequence(input, at, tokens) : control(input, at, tokens);
      if (next === null) {
        this.#rest = input.slice(at);
        return tokens;
      }
      at = next;
      start = at;
    }
    flush();
    return tokens;
  }

  /** The end of the escape sequence at `at`, or null when the piece ends within it. */
  #sequence(input: string, at: number, tokens: AnsiToken[]): number | null {
    const kind = input[at + 1];
    if (kind === undefined) return null;
    if (kind === ']') return endOfString(input, at + 2);
    if (kind !== '[') return at + 2;
    for (let end = at + 2; end < input.length; end += 1) {
      const code = input.charCodeAt(end);
      if (code < 0x20 || code > 0x7e) return end;
      if (code < 0x40) continue;
      const parameters = input.slice(at + 2, end);
      if (input[end] === 'm') this.#style = restyle(this.#style, numbers(parameters));
      if (input[end] === 'K') tokens.push({ kind: 'erase-line' });
      return end + 1;
    }
    return input.length - at > maxSequence ? input.length : null;
  }
}

/** An operating-system command (title, link) ends with BEL or ESC \. */
function endOfString(input: string, from: number): number | null {
  for (let end = from; end < input.length; end += 1) {
    if (input.charCodeAt(end) === 7) return end + 1;
    if (input.charCodeAt(end) === 27 && input[end + 1] === '\\') return end + 2;
  }
  return input.length - from > maxSequence ? input.length : null;
}

function control(input: string, at: number, tokens: AnsiToken[]): number | null {
  const code = input.charCodeAt(at);
  if (code === 10) tokens.push({ kind: 'line-feed' });
  if (code !== 13) return at + 1;
  // Whether a carriage return ends a line or rewinds it shows only with what follows.
  if (at + 1 === input.length) return null;
  if (input.charCodeAt(at + 1) !== 10) tokens.push({ kind: 'carriage-return' });
  return at + 1;
}

function numbers(parameters: string): number[] {
  return parameters.split(/[;:]/).map((part) => (part === '' ? 0 : Number.parseInt(part, 10) || 0));
}
