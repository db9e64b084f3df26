import { inEnglish, type Phrase, type PhraseValue, phrase } from '@medley/core';
import { z } from 'zod';

/** What is wrong with a value, or null. The phrase is a whole clause about the value, e.g. "`30` has no unit". */
export type LeafCheck = (value: unknown) => Phrase | null;

/**
 * A value that is checked by one function, so that the message and what was expected are ours throughout. `json` is its part of the
 * published JSON Schema.
 */
export function leaf<Value>(check: LeafCheck, expected: Phrase, json: Record<string, unknown>): z.ZodType<Value> {
  const schema = z
    .unknown()
    .superRefine((value, context) => {
      const text = check(value);
      if (text !== null) context.addIssue({ code: 'custom', message: inEnglish(text), params: { text, expected } });
    })
    .meta(json);
  return schema as unknown as z.ZodType<Value>;
}

/** A text with its own check; anything but a text is refused before. */
export function textLeaf(check: (text: string) => Phrase | null, expected: Phrase, json: Record<string, unknown> = {}): z.ZodType<string> {
  const checkText: LeafCheck = (value) => (typeof value === 'string' ? check(value) : notOfForm(value, phrase('a-text')));
  return leaf<string>(checkText, expected, { type: 'string', ...json });
}

/** A text of a given pattern. */
export function patternLeaf(pattern: RegExp, expected: Phrase): z.ZodType<string> {
  return textLeaf((text) => (pattern.test(text) ? null : phrase('not-allowed', { value: tell(text), hint: '' })), expected, {
    pattern: pattern.source,
  });
}

export function integerLeaf(min: number, max: number): z.ZodType<number> {
  const expected = phrase('whole-number-range', { min, max });
  const check: LeafCheck = (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return notOfForm(value, phrase('a-whole-number'));
    return value < min || value > max ? phrase('outside-range', { value, min, max }) : null;
  };
  return leaf<number>(check, expected, { type: 'integer', minimum: min, maximum: max });
}

export function notOfForm(value: unknown, form: PhraseValue): Phrase {
  return phrase('not-of-form', { value: tell(value), form });
}

/** A value as it is shown in a message: short, quoted, and never a whole document. */
export function tell(value: unknown): PhraseValue {
  if (value === undefined || value === null) return phrase('nothing');
  if (typeof value === 'object') return phrase(Array.isArray(value) ? 'a-list' : 'a-map');
  const text = String(value);
  return `\`${text.length > 60 ? `${text.slice(0, 57)}...` : text}\``;
}
