import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema } from './paging.js';
import { runStateSchema, runTriggerSchema } from './run-states.js';
import { told } from './told.js';

const DAY_MS = 86_400_000;
export const RANGE_MAX_DAYS = 31;

/** A range of time, at most 31 days long; `to` may lie ahead. */
export const rangeQuerySchema = z
  .object({ from: instantSchema, to: instantSchema, projectId: z.uuid().optional() })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], error: told(phrase('later-than-from')) })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= RANGE_MAX_DAYS * DAY_MS, {
    path: ['from'],
    error: told(phrase('range-too-long', { limit: RANGE_MAX_DAYS })),
  });
export type RangeQuery = z.infer<typeof rangeQuerySchema>;

export const timelineRunSchema = z
  .object({
    id: z.uuid(),
    state: runStateSchema,
    trigger: runTriggerSchema,
    createdAt: instantSchema,
    startedAt: instantSchema.nullable(),
    finishedAt: instantSchema.nullable(),
  })
  .meta({ id: 'TimelineRun' });
export type TimelineRun = z.infer<typeof timelineRunSchema>;

export const timelineFireSchema = z.object({ scheduleId: z.uuid(), schedule: z.string(), at: instantSchema }).meta({ id: 'TimelineFire' });
export type TimelineFire = z.infer<typeof timelineFireSchema>;

export const timelineRowSchema = z
  .object({
    workflowId: z.uuid(),
    workflow: z.string(),
    project: z.string(),
    runs: z.array(timelineRunSchema),
    fires: z.array(timelineFireSchema),
  })
  .meta({ id: 'TimelineRow' });
export type TimelineRow = z.infer<typeof timelineRowSchema>;

/**
 * What ran, runs and will run in a range, by workflow. Of runs there are the newest thousand; `runsSince` is set when older ones are left
 * out, `firesUntil` when later fires are. A run that began longer before the range than the range is long (at most a day) is left out once it has ended.
 */
export const timelineSchema = z
  .object({
    at: instantSchema,
    rows: z.array(timelineRowSchema),
    runsSince: instantSchema.nullable(),
    firesUntil: instantSchema.nullable(),
  })
  .meta({ id: 'Timeline' });
export type Timeline = z.infer<typeof timelineSchema>;

const seconds = z.number().nonnegative().nullable();

/** Task runs that ended in one step of time: how many, and how long they had waited for their start and then ran. */
export const activityPointSchema = z
  .object({
    at: instantSchema,
    succeeded: z.number().int(),
    failed: z.number().int(),
    waitP50Seconds: seconds,
    waitP95Seconds: seconds,
    runP50Seconds: seconds,
    runP95Seconds: seconds,
  })
  .meta({ id: 'ActivityPoint' });
export type ActivityPoint = z.infer<typeof activityPointSchema>;

/** One point per step up to now; steps in which nothing ended are there as well. `since` is set when the range holds more task runs than are read. */
export const activitySchema = z
  .object({ stepSeconds: z.number().int(), points: z.array(activityPointSchema), since: instantSchema.nullable() })
  .meta({ id: 'Activity' });
export type Activity = z.infer<typeof activitySchema>;

/** Per cent of a node's CPU: what its machine used, and what attempts had reserved. Null where nothing was recorded. */
export const nodeHistorySchema = z
  .object({
    nodeId: z.uuid(),
    node: z.string(),
    cpuPercent: z.array(z.number().nullable()),
    reservedPercent: z.array(z.number().nullable()),
  })
  .meta({ id: 'NodeHistory' });
export type NodeHistory = z.infer<typeof nodeHistorySchema>;

/** The nodes with most load, one sample per step; `nodeCount` counts all nodes that have samples in the range. */
export const clusterLoadSchema = z
  .object({ stepSeconds: z.number().int(), at: z.array(instantSchema), nodes: z.array(nodeHistorySchema), nodeCount: z.number().int() })
  .meta({ id: 'ClusterLoad' });
export type ClusterLoad = z.infer<typeof clusterLoadSchema>;
