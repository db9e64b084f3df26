import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema } from './paging.js';
import { phraseSchema } from './problem.js';
import { runFilterSchema } from './runs.js';
import { told } from './told.js';

export const RUN_BULK_MAX = 1000;

export const runBulkActionSchema = z.enum(['cancel', 'rerun-all', 'rerun-failed']);
export type RunBulkAction = z.infer<typeof runBulkActionSchema>;

/** Runs by a filter or by their ids. */
export const runBulkScopeSchema = z
  .strictObject({
    action: runBulkActionSchema,
    filter: runFilterSchema.optional(),
    ids: z.array(z.uuid()).min(1).max(RUN_BULK_MAX).optional(),
  })
  .refine(({ filter, ids }) => (filter === undefined) !== (ids === undefined), told(phrase('filter-or-ids')))
  .meta({ id: 'RunBulkScope' });
export type RunBulkScope = z.infer<typeof runBulkScopeSchema>;

/** How many of the runs the action applies to, and how many more are of projects in which the caller may not do it. More than `most` are refused. */
export const runBulkPreviewSchema = z
  .object({
    action: runBulkActionSchema,
    count: z.number().int(),
    isMore: z.boolean(),
    most: z.number().int(),
    forbidden: z.array(z.object({ projectId: z.uuid(), project: z.string(), count: z.number().int() })),
  })
  .meta({ id: 'RunBulkPreview' });
export type RunBulkPreview = z.infer<typeof runBulkPreviewSchema>;

/** `expected` is the count that the preview told: when meanwhile there are more, nothing is done. */
export const startRunBulkSchema = z
  .strictObject({ ...runBulkScopeSchema.shape, expected: z.number().int().min(1).max(RUN_BULK_MAX) })
  .refine(({ filter, ids }) => (filter === undefined) !== (ids === undefined), told(phrase('filter-or-ids')))
  .meta({ id: 'StartRunBulk' });
export type StartRunBulk = z.infer<typeof startRunBulkSchema>;

/** How far it is. `skipped` are runs to which the action did not apply any more; of their reasons the first hundred are told. */
export const runBulkSchema = z
  .object({
    id: z.uuid(),
    action: runBulkActionSchema,
    total: z.number().int(),
    done: z.number().int(),
    succeeded: z.number().int(),
    skipped: z.number().int(),
    reasons: z.array(z.object({ runId: z.uuid(), code: z.string(), text: z.string(), explanation: phraseSchema.optional() })),
    createdAt: instantSchema,
    finishedAt: instantSchema.nullable(),
    stopped: z.boolean(),
  })
  .meta({ id: 'RunBulk' });
export type RunBulk = z.infer<typeof runBulkSchema>;

/** The caller's, the newest first: those that are under way and the last ones that ended. */
export const runBulkListSchema = z.object({ items: z.array(runBulkSchema) }).meta({ id: 'RunBulkList' });
export type RunBulkList = z.infer<typeof runBulkListSchema>;
