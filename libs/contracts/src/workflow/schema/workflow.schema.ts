import { conflictRules, phrase, readPointer, scalarTypes } from '@medley/core';
import { z } from 'zod';
import { parseDuration } from '../../resources/index.js';
import { integerLeaf, leaf, tell, textLeaf } from './leaf.js';
import { descriptionSchema, keySchema, nameSchema } from './names.js';
import { limitsSchema, onLeaseLostSchema, retrySchema, taskSchema } from './task.schema.js';
import { templateSchema, timeoutSchema } from './values.js';

const scalars = scalarTypes as ['string', 'number', 'integer', 'boolean', 'date'];
const scalarValueSchema = z.union([z.string(), z.number(), z.boolean()]);
/** Types are checked against the declaration afterwards; the form allows any value that a parameter can have. */
const parameterValueSchema = z.union([scalarValueSchema, z.array(scalarValueSchema)]);

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

export const maxMadeUpFires = 1000;

/** Where in a payload a value is: a JSON Pointer (RFC 6901). */
const pointerSchema = textLeaf(
  (text) => (readPointer(text) === null ? phrase('not-a-pointer', { value: tell(text) }) : null),
  phrase('pointer-form'),
);

const maxToleranceSeconds = 86_400;
/** Ids of deliveries are remembered for longer than this, so that none can come again. */
const toleranceSchema = textLeaf((text) => {
  const seconds = parseDuration(text);
  return seconds === null || seconds < 1 || seconds > maxToleranceSeconds ? phrase('not-a-tolerance', { value: tell(text) }) : null;
}, phrase('tolerance-form'));

export const webhookSchema = z.strictObject({
  payload: z.record(keySchema, pointerSchema).optional(),
  perMinute: integerLeaf(1, 6000).optional(),
  tolerance: toleranceSchema.optional(),
});

export const scheduleSchema = z.strictObject({
  cron: textLeaf(() => null, phrase('cron-form')).optional(),
  webhook: webhookSchema.optional(),
  zone: textLeaf(() => null, phrase('zone-form')).optional(),
  parameters: z.record(keySchema, parameterValueSchema).optional(),
  misfire: z.strictObject({ policy: z.enum(['skip', 'run-once', 'run-all']), max: integerLeaf(1, maxMadeUpFires).optional() }).optional(),
  enabled: z.boolean().optional(),
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
export type WebhookDefinition = z.infer<typeof webhookSchema>;
export type ScheduleDefinition = z.infer<typeof scheduleSchema>;
