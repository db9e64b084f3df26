import { z } from 'zod';

/** What is wrong with a value, or null. The message is a whole clause about the value, e.g. "`30` has no unit". */
export type LeafCheck = (value: unknown) => string | null;

/**
 * A value that is checked by one function, so that the message and what was expected are ours throughout. `json` is its part of the
 * published JSON Schema.
 */
export function leaf<Value>(check: LeafCheck, expected: string, json: Record<string, unknown>): z.ZodType<Value> {
  const schema = z
    .unknown()
    .superRefine((value, context) => {
      const message = check(value);
      if (message !== null) context.addIssue({ code: 'custom', message, params: { expected } });
    })
    .meta(json);
  return schema as unknown as z.ZodType<Value>;
}

/** A text with its own check; anything but a text is refused before. */
export function textLeaf(check: (text: string) => string | null, expected: string, json: Record<string, unknown> = {}): z.ZodType<string> {
  const checkText: LeafCheck = (value) => (typeof value === 'string' ? check(value) : `${tell(value)} is not a text`);
  return leaf<string>(checkText, expected, { type: 'string', ...json });
}

/** A text of a given pattern. */
export function patternLeaf(pattern: RegExp, expected: string): z.ZodType<string> {
  return textLeaf((text) => (pattern.test(text) ? null : `${tell(text)} is not allowed here`), expected, { pattern: pattern.source });
}

export function integerLeaf(min: number, max: number): z.ZodType<number> {
  const expected = `a whole number from ${min} to ${max}`;
  const check: LeafCheck = (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return `${tell(value)} is not a whole number`;
    return value < min || value > max ? `${value} is outside of ${min} to ${max}` : null;
  };
  return leaf<number>(check, expected, { type: 'integer', minimum: min, maximum: max });
}

/** A value as it is shown in a message: short, quoted, and never a whole document. */
export function tell(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a map';
  const text = String(value);
  return `\`${text.length > 60 ? `${text.slice(0, 57)}...` : text}\``;
}
