import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from './paging.js';
import type { RestRoute } from './route.js';
import { runStateSchema } from './run-states.js';
import { told } from './told.js';

/** Fires of one backfill at most: a schedule of every minute has 1,440 in a day. */
export const BACKFILL_MAX = 5000;
export const BACKFILL_PARALLEL_MAX = 100;

/**
 * Which fires of the range are made up for. `missing`: those for which no run was ever begun, by the schedule itself or by an earlier backfill; a fire that failed
 * before its run could be created counts as missing. `unsuccessful`: those without a run, or a rerun of one, that has succeeded or may still do so. `all`: all of them again.
 */
export const backfillFiresSchema = z.enum(['all', 'missing', 'unsuccessful']);
export type BackfillFires = z.infer<typeof backfillFiresSchema>;

export const backfillDirectionSchema = z.enum(['oldest-first', 'newest-first']);
export type BackfillDirection = z.infer<typeof backfillDirectionSchema>;

/** A day of the schedule's zone, or an instant. */
const boundSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })], told(phrase('day-or-instant-form')));

/** `from` and `to` are both included, a day from its first to its last instant in the schedule's zone. `parameters` replace those of the schedule and are templates as they are. */
const scope = {
  from: boundSchema,
  to: boundSchema,
  fires: backfillFiresSchema.default('missing'),
  parameters: z.record(z.string(), z.unknown()).default({}),
};

export const backfillScopeSchema = z.strictObject(scope).meta({ id: 'BackfillScope' });
export type BackfillScope = z.infer<typeof backfillScopeSchema>;

/** `expected` is the `count` that the preview told: when meanwhile there are others, nothing is started. */
export const startBackfillSchema = z
  .strictObject({
    ...scope,
    direction: backfillDirectionSchema.default('oldest-first'),
    parallel: z.number().int().min(1).max(BACKFILL_PARALLEL_MAX).default(1),
    expected: z.number().int().min(1).max(BACKFILL_MAX),
  })
  .meta({ id: 'StartBackfill' });
export type StartBackfill = z.infer<typeof startBackfillSchema>;

/** A fire of the range and the newest run that stands for it. */
export const backfillPreviewFireSchema = z.object({
  fireAt: instantSchema,
  /** The wall clock of the schedule's zone. */
  local: z.string(),
  included: z.boolean(),
  runId: z.uuid().nullable(),
  runState: runStateSchema.nullable(),
});
export type BackfillPreviewFire = z.infer<typeof backfillPreviewFireSchema>;

/** `inRange` fires of the schedule, of which `existing` have a run that was begun, and `count` would be started. `shown` holds the first and the last of those in range. */
export const backfillPreviewSchema = z
  .object({
    zone: z.string(),
    from: instantSchema,
    to: instantSchema,
    workflowVersion: z.number().int(),
    inRange: z.number().int(),
    existing: z.number().int(),
    succeeded: z.number().int(),
    count: z.number().int(),
    first: instantSchema.nullable(),
    last: instantSchema.nullable(),
    shown: z.array(backfillPreviewFireSchema),
    most: z.number().int(),
  })
  .meta({ id: 'BackfillPreview' });
export type BackfillPreview = z.infer<typeof backfillPreviewSchema>;

/** `finished`: every fire has a run that has ended, however. `cancelled`: no more are started, and those under way have ended. */
export const backfillStateSchema = z.enum(['running', 'cancelling', 'cancelled', 'finished']);
export type BackfillState = z.infer<typeof backfillStateSchema>;

export const backfillSchema = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    project: z.string(),
    workflowId: z.uuid(),
    workflow: z.string(),
    workflowVersion: z.number().int(),
    scheduleId: z.uuid(),
    schedule: z.string(),
    zone: z.string(),
    from: instantSchema,
    to: instantSchema,
    fires: backfillFiresSchema,
    direction: backfillDirectionSchema,
    parallel: z.number().int(),
    parameters: z.record(z.string(), z.unknown()),
    state: backfillStateSchema,
    /** Why it was stopped, when nobody cancelled it. */
    reason: z.object({ code: z.string(), text: z.string() }).nullable(),
    createdBy: z.string(),
    createdAt: instantSchema,
    finishedAt: instantSchema.nullable(),
    total: z.number().int(),
    /** Figures add up to `total`; `left` will not be started any more, `removed` are runs that retention has removed. */
    waiting: z.number().int(),
    left: z.number().int(),
    active: z.number().int(),
    succeeded: z.number().int(),
    failed: z.number().int(),
    cancelled: z.number().int(),
    removed: z.number().int(),
  })
  .meta({ id: 'Backfill' });
export type Backfill = z.infer<typeof backfillSchema>;
export const backfillPageSchema = pageOf(backfillSchema, 'BackfillPage');

/** `from` is the beginning of the range, `total` the number of its fires. */
export const backfillQuerySchema = pageQuerySchema.extend({
  state: backfillStateSchema.optional(),
  sort: sortSchema(['created', 'from', 'state', 'total', 'createdBy'], '-created'),
});
export type BackfillQuery = z.infer<typeof backfillQuerySchema>;

/** In the order in which they are started. */
export const backfillFireSchema = z
  .object({
    position: z.number().int(),
    fireAt: instantSchema,
    local: z.string(),
    runId: z.uuid().nullable(),
    /** Null while it waits, and when the run was removed. */
    runState: runStateSchema.nullable(),
  })
  .meta({ id: 'BackfillFire' });
export type BackfillFire = z.infer<typeof backfillFireSchema>;
export const backfillFirePageSchema = pageOf(backfillFireSchema, 'BackfillFirePage');

/** `runs: leave` lets those under way end by themselves. */
export const cancelBackfillSchema = z.strictObject({ runs: z.enum(['leave', 'cancel']).default('leave') }).meta({ id: 'CancelBackfill' });
export type CancelBackfill = z.infer<typeof cancelBackfillSchema>;

export const backfillRoutes = {
  previewBackfill: {
    method: 'POST',
    path: '/schedules/:id/backfills/preview',
    summary: 'Which fires a backfill would start',
    body: backfillScopeSchema,
    answer: backfillPreviewSchema,
  },
  startBackfill: {
    method: 'POST',
    path: '/schedules/:id/backfills',
    summary: 'Make up for the fires of a range of time',
    body: startBackfillSchema,
    answer: backfillSchema,
    status: 202,
    repeatable: true,
  },
  listBackfills: {
    method: 'GET',
    path: '/schedules/:id/backfills',
    summary: 'Backfills of a schedule, the newest first or as sorted',
    query: backfillQuerySchema,
    answer: backfillPageSchema,
  },
  getBackfill: { method: 'GET', path: '/backfills/:id', summary: 'How far a backfill is', answer: backfillSchema },
  listBackfillFires: {
    method: 'GET',
    path: '/backfills/:id/fires',
    summary: 'Fires of a backfill with their runs, in the order in which they are started',
    query: pageQuerySchema,
    answer: backfillFirePageSchema,
  },
  cancelBackfill: {
    method: 'POST',
    path: '/backfills/:id/cancel',
    summary: 'Start no more fires of a backfill',
    body: cancelBackfillSchema,
    answer: backfillSchema,
  },
} as const satisfies Record<string, RestRoute>;
