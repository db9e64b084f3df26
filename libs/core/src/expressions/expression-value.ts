import { inEnglish, type Phrase } from '../phrases/index.js';

/** What one of our own functions says of a value it cannot use. */
export class ExpressionFailure extends Error {
  constructor(readonly text: Phrase) {
    super(inEnglish(text));
  }
}

/** What a value expression can yield and refer to: anything that JSON can write. */
export type ExpressionValue = string | number | boolean | null | readonly ExpressionValue[] | { readonly [name: string]: ExpressionValue };

/** What is known of a value before there is one. `any` is what a task or a service gives: it is looked at when it is there. */
export type ValueType = 'text' | 'number' | 'boolean' | 'any' | `list of ${'text' | 'number' | 'boolean' | 'any'}`;

/** So much text may come out of an expression. */
export const maxExpressionResult = 256 * 1024;

/** A value as it appears within text: lists and maps as JSON. */
export function asText(value: ExpressionValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Roughly the characters of a value, counted without writing it down: texts that were put together are not copied for it. Stops at `limit`. */
export function sizeOfValue(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  for (const [key, each] of Object.entries(value)) {
    size += (Array.isArray(value) ? 1 : key.length) + sizeOfValue(each, limit - size);
    if (size > limit) return size;
  }
  return size;
}
