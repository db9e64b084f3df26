import { type PhraseCode, phrase } from '@medley/core';
import { z } from 'zod';
import { patternLeaf, textLeaf } from './leaf.js';

/** Projects, workflows, pools. */
export const nameSchema = patternLeaf(/^[a-z][a-z0-9-]{0,62}$/, phrase('name-form'));

/** Keys of a map, by a pattern. As a key has a message only, the message is the code of the phrase that says what is expected. */
export function keysOf(pattern: RegExp, expected: PhraseCode): z.ZodString {
  return z.string().regex(pattern, expected);
}

/** Keys of maps whose names people choose: tasks, schedules, parameters. */
export const keySchema = keysOf(/^[A-Za-z][A-Za-z0-9_-]{0,99}$/, 'key-form');

export const environmentNameSchema = keysOf(/^(?!MEDLEY_)[A-Za-z_][A-Za-z0-9_]{0,254}$/, 'environment-name-form');

export const descriptionSchema = textLeaf(
  (text) => (text.length > 4000 ? phrase('text-length', { count: text.length }) : null),
  phrase('text-at-most', { limit: 4000 }),
);
