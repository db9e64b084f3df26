import { z } from 'zod';
import { phraseSchema } from '../rest/problem.js';
import { attemptRefSchema, stopOrderSchema } from './work.js';

/** Characters of the JSON of an explanation; more is not stored. */
export const maxExplanationLength = 8000;

export const logStreamSchema = z.enum(['stdout', 'stderr', 'system']);
export type LogStream = z.infer<typeof logStreamSchema>;

/** How an attempt ended, as the agent verified it: the process tree is gone. */
export const attemptOutcomeSchema = z.enum(['succeeded', 'failed', 'timed_out', 'cancelled']);
export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>;

export const reportBodySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started') }),
  /** `data` is base64 of bytes; `offset` counts bytes of that stream from 0. Chunks are idempotent by (attempt, stream, offset). */
  z.object({ type: z.literal('log'), stream: logStreamSchema, offset: z.number().int().nonnegative(), data: z.string().max(1_400_000) }),
  z.object({
    type: z.literal('finished'),
    outcome: attemptOutcomeSchema,
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    detail: z.string().max(4000).nullable(),
    /** What `detail` says, for any language; an agent of an earlier version does not say. */
    explanation: phraseSchema.optional(),
    runSeconds: z.number().nonnegative(),
    /** What the task wrote to the file named in `MEDLEY_OUTPUT`, within the limits of `readOutputs`; an agent of an earlier version does not say. */
    outputs: z.record(z.string(), z.json()).optional(),
  }),
]);
export type ReportBody = z.infer<typeof reportBodySchema>;

/** `sequence` counts the reports of one attempt from 1; the server applies them in order and once. */
export const reportSchema = attemptRefSchema.extend({ sequence: z.number().int().positive(), body: reportBodySchema });
export type Report = z.infer<typeof reportSchema>;

/** POST reports — any number of attempts together, each attempt's reports in order. */
export const reportsRequestSchema = z.object({ reports: z.array(reportSchema).min(1).max(1000) });
export type ReportsRequest = z.infer<typeof reportsRequestSchema>;

/**
 * `sequence` is the highest contiguous one that is committed. `refused` says that this attempt's result does not count (fenced off,
 * unknown): the agent drops what it holds of it and stops its process.
 */
export const reportAckSchema = attemptRefSchema.extend({ sequence: z.number().int().nonnegative(), refused: z.string().nullable() });
export type ReportAck = z.infer<typeof reportAckSchema>;
export const reportsAnswerSchema = z.object({ acks: z.array(reportAckSchema), stops: z.array(stopOrderSchema) });
export type ReportsAnswer = z.infer<typeof reportsAnswerSchema>;
