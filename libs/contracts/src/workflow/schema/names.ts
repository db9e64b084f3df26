import { z } from 'zod';
import { patternLeaf, textLeaf } from './leaf.js';

/** Projects, workflows, pools. */
export const nameSchema = patternLeaf(
  /^[a-z][a-z0-9-]{0,62}$/,
  'lower-case letters, digits and `-`, beginning with a letter, at most 63 characters',
);

const keyText = 'letters, digits, `-` and `_`, beginning with a letter, at most 100 characters';

/** Keys of maps whose names people choose: tasks, schedules, parameters. */
export const keySchema = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,99}$/, keyText);

export const environmentNameSchema = z
  .string()
  .regex(/^(?!MEDLEY_)[A-Za-z_][A-Za-z0-9_]{0,254}$/, 'letters, digits and `_`, not beginning with a digit or with `MEDLEY_`');

export const descriptionSchema = textLeaf(
  (text) => (text.length > 4000 ? `it has ${text.length} characters` : null),
  'a text of at most 4000 characters',
);
