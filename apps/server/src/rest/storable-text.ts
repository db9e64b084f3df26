import { type FieldError, fieldError, phrase } from '@medley/core';

/** U+0000 and halves of surrogate pairs: no text column of Postgres takes them. */
const unstorable = /\0|\p{Surrogate}/u;

/** The first text in a value, keys included, that cannot be stored, by its path; null when all can. */
export function unstorableText(value: unknown, path = ''): FieldError | null {
  if (typeof value === 'string') return unstorable.test(value) ? fault(path) : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const itemPath = path === '' ? key : `${path}.${key}`;
    const found = unstorable.test(key) ? fault(path) : unstorableText(item, itemPath);
    if (found) return found;
  }
  return null;
}

function fault(path: string): FieldError {
  return fieldError(path, phrase('unstorable-text'));
}
