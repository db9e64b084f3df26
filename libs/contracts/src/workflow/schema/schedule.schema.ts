import { maxUpstreamDaysBack, overlapPolicies, phrase, readPointer } from '@medley/core';
import { z } from 'zod';
import { parseDuration } from '../../resources/index.js';
import { integerLeaf, patternLeaf, tell, textLeaf } from './leaf.js';
import { keySchema } from './names.js';
import { delaySchema, periodSchema } from './values.js';

export const scalarValueSchema = z.union([z.string(), z.number(), z.boolean()]);
/** Types are checked against the declaration afterwards; the form allows any value that a parameter can have. */
export const parameterValueSchema = z.union([scalarValueSchema, z.array(scalarValueSchema)]);

export const maxMadeUpFires = 1000;

const instantSchema = textLeaf(() => null, phrase('instant-form'));

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

export const maxUpstreams = 20;

/** One of `workflow` and `self`. The workflow is one of the project, or `project/workflow`. */
export const upstreamSchema = z.strictObject({
  workflow: patternLeaf(/^(?:[a-z][a-z0-9-]{0,62}\/)?[a-z][a-z0-9-]{0,62}$/, phrase('upstream-workflow-form')).optional(),
  self: z.literal(true).optional(),
  day: integerLeaf(-maxUpstreamDaysBack, 0).optional(),
  hours: z.enum(['all']).optional(),
});

/** When a schedule fires, as the file says it; a preview is asked for by the same keys. Exactly one of the keys of `ruleKeys` has to be there. */
export const timetableShape = {
  cron: textLeaf(() => null, phrase('cron-form')).optional(),
  dialect: z.enum(['unix', 'quartz']).optional(),
  gap: z.enum(['shift', 'skip']).optional(),
  overlapHour: z.enum(['once', 'twice']).optional(),
  fixedRate: periodSchema.optional(),
  fixedDelay: periodSchema.optional(),
  at: instantSchema.optional(),
  upstream: z.array(upstreamSchema).min(1).max(maxUpstreams).optional(),
  zone: textLeaf(() => null, phrase('zone-form')).optional(),
  /** The name of a calendar of the project. */
  calendar: keySchema.optional(),
  start: instantSchema.optional(),
  end: instantSchema.optional(),
};

export const scheduleSchema = z.strictObject({
  ...timetableShape,
  webhook: webhookSchema.optional(),
  jitter: delaySchema.optional(),
  overlap: z.enum(overlapPolicies).optional(),
  misfire: z.strictObject({ policy: z.enum(['skip', 'run-once', 'run-all']), max: integerLeaf(1, maxMadeUpFires).optional() }).optional(),
  parameters: z.record(keySchema, parameterValueSchema).optional(),
  enabled: z.boolean().optional(),
});

export type ScheduleDefinition = z.infer<typeof scheduleSchema>;
export type UpstreamDefinition = z.infer<typeof upstreamSchema>;
export type WebhookDefinition = z.infer<typeof webhookSchema>;
export type TimetableDefinition = Pick<ScheduleDefinition, keyof typeof timetableShape>;
