import { conflictRules, phrase, scalarTypes } from '@medley/core';
import { z } from 'zod';
import { integerLeaf, leaf, tell } from './leaf.js';
import { descriptionSchema, keySchema, nameSchema } from './names.js';
import { parameterValueSchema, scalarValueSchema, scheduleSchema } from './schedule.schema.js';
import { limitsSchema, onLeaseLostSchema, retrySchema, taskSchema } from './task.schema.js';
import { templateSchema, timeoutSchema } from './values.js';

const scalars = scalarTypes as ['string', 'number', 'integer', 'boolean', 'date'];

/** What it bounds depends on the type; that it goes with it is checked afterwards. */
const boundSchema = z.union([z.number(), z.string()]);

export const parameterSchema = z.strictObject({
  type: z.enum([...scalars, 'list']),
  items: z.enum(scalars).optional(),
  default: parameterValueSchema.optional(),
  required: z.boolean().optional(),
  min: boundSchema.optional(),
  max: boundSchema.optional(),
  pattern: z.string().optional(),
  enum: z.array(scalarValueSchema).min(1).max(1000).optional(),
  description: descriptionSchema.optional(),
});

/** How many runs with the same key may be under way at the same time, and what becomes of another one. */
export const concurrencySchema = z.strictObject({
  key: templateSchema.optional(),
  limit: integerLeaf(1, 10_000).optional(),
  onConflict: z.enum(conflictRules).optional(),
});

const versionSchema = leaf<1>(
  (value) => (value === 1 ? null : phrase('file-version-unknown', { value: tell(value) })),
  phrase('file-version-form'),
  {
    const: 1,
  },
);

export const workflowSchema = z.strictObject({
  medley: versionSchema,
  project: nameSchema,
  workflow: nameSchema,
  description: descriptionSchema.optional(),
  parameters: z.record(keySchema, parameterSchema).optional(),
  concurrency: concurrencySchema.optional(),
  defaults: z
    .strictObject({
      pool: nameSchema.optional(),
      timeout: timeoutSchema.optional(),
      retry: retrySchema.optional(),
      onLeaseLost: onLeaseLostSchema.optional(),
      limits: limitsSchema.optional(),
    })
    .optional(),
  schedules: z.record(keySchema, scheduleSchema).optional(),
  tasks: z.record(keySchema, taskSchema),
  finally: z.record(keySchema, taskSchema).optional(),
});

export type WorkflowDefinition = z.infer<typeof workflowSchema>;
