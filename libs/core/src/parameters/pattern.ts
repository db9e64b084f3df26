import { type Phrase, phrase } from '../phrases/index.js';

/** Texts that are compared with a pattern are no longer, and patterns repeat without bound no more often, so that a comparison stays short whatever both are. */
export const maxPatternText = 256;
const maxPattern = 200;
const maxUnbounded = 3;

const token = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[=!]|<[=!])|\((?:\?:)?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/g;

/**
 * What keeps a regular expression from being a pattern; null when nothing does. Refused is, beside what cannot be read, what can take for ever on a text made
 * for it: something repeated within something repeated, references back, and looking around.
 */
export function patternFault(pattern: string): Phrase | null {
  if (pattern.length > maxPattern) return phrase('pattern-too-long', { limit: maxPattern });
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return phrase('pattern-unreadable', { english: (error as Error).message });
  }
  const groups: boolean[] = [];
  let ended: boolean | null = null;
  let unbounded = 0;
  for (const [piece] of pattern.matchAll(token)) {
    if (/^\\(\d|k)/.test(piece) || /^\(\?(=|!|<)/.test(piece)) return phrase('pattern-looks-around');
    const repeats = /^([*+]|\{\d)/.test(piece);
    if (repeats && ended === true) return phrase('pattern-repeats-repeated');
    if (repeats && !/^\{\d+\}/.test(piece)) unbounded++;
    if (repeats || piece.startsWith('?')) groups.fill(true);
    if (piece.startsWith('(')) groups.push(false);
    ended = piece === ')' ? (groups.pop() ?? false) : null;
  }
  return unbounded > maxUnbounded ? phrase('pattern-repeats-often', { limit: maxUnbounded }) : null;
}

/** Whether a text matches as a whole. The pattern has been checked. */
export function matchesPattern(pattern: string, text: string): boolean {
  return text.length <= maxPatternText && new RegExp(`^(?:${pattern})$`, 'u').test(text);
}
