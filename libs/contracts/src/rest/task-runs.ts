import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, queryFlagSchema } from './paging.js';
import { phraseSchema } from './problem.js';
import { attemptStateSchema, taskRunStateSchema } from './run-states.js';
import { reasonSchema, taskRunItemSchema } from './runs.js';
import { told } from './told.js';

export const attemptViewSchema = z
  .object({
    id: z.uuid(),
    taskRunId: z.uuid(),
    runId: z.uuid(),
    number: z.number().int(),
    fence: z.number().int(),
    state: attemptStateSchema,
    nodeId: z.uuid(),
    node: z.string(),
    carrier: z.string().nullable(),
    /** Sent ahead to its node, where it waited for room; until it is claimed nothing is reserved for it. */
    prefetched: z.boolean(),
    sendNo: z.number().int(),
    dispatchedAt: instantSchema,
    claimedAt: instantSchema.nullable(),
    startedAt: instantSchema.nullable(),
    deadlineAt: instantSchema.nullable(),
    stoppingAt: instantSchema.nullable(),
    stopReason: z.string().nullable(),
    finishedAt: instantSchema.nullable(),
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    /** In English; `explanation` says the same for any language, where it is known. */
    detail: z.string().nullable(),
    explanation: phraseSchema.nullable(),
  })
  .meta({ id: 'Attempt' });
export type AttemptView = z.infer<typeof attemptViewSchema>;

/** `attempts` in the order of their fences, `spec` as the workflow version defines the task. */
export const taskRunViewSchema = taskRunItemSchema
  .extend({
    runId: z.uuid(),
    workflowId: z.uuid(),
    workflowVersion: z.number().int(),
    fence: z.number().int(),
    /** Null for what no node gets, or not before something is decided. */
    pool: z.string().nullable(),
    priority: z.number().int(),
    expectedSeconds: z.number().nullable(),
    lostCount: z.number().int(),
    deadlineAt: instantSchema.nullable(),
    /** How it ends once its attempt is stopped, and who decided so. */
    mark: z.object({ state: taskRunStateSchema, reason: reasonSchema }).nullable(),
    spec: z.record(z.string(), z.unknown()),
    /** What its last attempt gave to the tasks behind it; null while it has given nothing. */
    outputs: z.record(z.string(), z.unknown()).nullable(),
    attempts: z.array(attemptViewSchema),
  })
  .meta({ id: 'TaskRun' });
export type TaskRunView = z.infer<typeof taskRunViewSchema>;

/** Instances of a mapped task in the order of its items. */
export const taskPartQuerySchema = pageQuerySchema.extend({ state: taskRunStateSchema.optional() });
export type TaskPartQuery = z.infer<typeof taskPartQuerySchema>;
export const taskPartPageSchema = pageOf(taskRunItemSchema, 'TaskPartPage');

/** So many files of a task are listed at most. */
export const maxListedFiles = 1000;

/** A file that a task has kept. `item`: of which item or iteration, from 0. `expired`: past the time that files are kept, its content is gone. */
export const taskFileSchema = z
  .object({
    id: z.uuid(),
    attemptId: z.uuid(),
    item: z.number().int().nullable(),
    path: z.string(),
    bytes: z.number(),
    sha256: z.string(),
    expired: z.boolean(),
  })
  .meta({ id: 'TaskFile' });
export type TaskFile = z.infer<typeof taskFileSchema>;

/** `total` counts those beyond `maxListedFiles` as well. */
export const taskFilesSchema = z.object({ items: z.array(taskFileSchema), total: z.number().int() }).meta({ id: 'TaskFiles' });
export type TaskFiles = z.infer<typeof taskFilesSchema>;
export const taskFileParamsSchema = z.object({ id: z.uuid(), fileId: z.uuid() });
export type TaskFileParams = z.infer<typeof taskFileParamsSchema>;

export const parentStateSchema = z
  .object({ taskRunId: z.uuid(), key: z.string(), state: taskRunStateSchema, needed: z.string(), satisfied: z.boolean() })
  .meta({ id: 'ParentState' });

/** The answer to "why is it waiting", or how it ended. */
export const whySchema = z
  .object({
    taskRunId: z.uuid(),
    state: taskRunStateSchema,
    reason: reasonSchema,
    since: instantSchema.nullable(),
    parents: z.array(parentStateSchema),
    attempt: attemptViewSchema.nullable(),
  })
  .meta({ id: 'Why' });
export type Why = z.infer<typeof whySchema>;

export const logStreamNameSchema = z.enum(['stdout', 'stderr', 'system']);

/** Without `stream` all streams come merged in the order in which they were received. `limit` counts bytes. `tail` takes the last ones instead of the first. */
export const logQuerySchema = z
  .object({
    stream: logStreamNameSchema.optional(),
    after: z.string().max(100).optional(),
    tail: queryFlagSchema.optional(),
    limit: z.coerce.number().int().min(1024).max(4_194_304).default(262_144),
  })
  .refine(({ tail, stream, after }) => !tail || (stream === undefined && after === undefined), told(phrase('tail-of-all')));
export type LogQuery = z.infer<typeof logQuerySchema>;

export const logPartSchema = z
  .object({ stream: logStreamNameSchema, offset: z.number().int(), text: z.string(), receivedAt: instantSchema })
  .meta({ id: 'LogPart' });
export type LogPart = z.infer<typeof logPartSchema>;

/** Ask again with `after: next` for what follows; `complete` means that nothing will; `isStart` that nothing stands before. Texts end at character borders. */
export const logPageSchema = z
  .object({ attemptId: z.uuid(), parts: z.array(logPartSchema), next: z.string(), complete: z.boolean(), isStart: z.boolean() })
  .meta({ id: 'LogPage' });
export type LogPage = z.infer<typeof logPageSchema>;

export const logDownloadQuerySchema = z.object({ stream: logStreamNameSchema.optional() });

/** `decision` as the placing turn stored it: seed, removed counts, top scores, choice. */
export const placementViewSchema = z
  .object({
    attemptId: z.uuid(),
    turnId: z.uuid(),
    ordinal: z.number().int(),
    decidedAt: instantSchema,
    nodeId: z.uuid(),
    node: z.string(),
    decision: z.record(z.string(), z.unknown()),
    /** Names of the nodes that the decision mentions by id. */
    nodeNames: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Placement' });
export type PlacementView = z.infer<typeof placementViewSchema>;

export const placementReplaySchema = z
  .object({
    attemptId: z.uuid(),
    identical: z.boolean(),
    stored: z.record(z.string(), z.unknown()),
    replayed: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'PlacementReplay' });
export type PlacementReplay = z.infer<typeof placementReplaySchema>;
