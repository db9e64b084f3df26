import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, queryFlagSchema, VERSION_MAX } from './paging.js';
import { phraseSchema, problemFieldSchema } from './problem.js';
import { attemptStateSchema, runStateSchema, runTriggerSchema, taskCountsSchema, taskRunStateSchema } from './run-states.js';
import { told } from './told.js';

/** The task of another run that a run is a part of. */
export const parentTaskSchema = z
  .object({ runId: z.uuid(), workflow: z.string(), taskRunId: z.uuid(), task: z.string() })
  .meta({ id: 'ParentTask' });
export type ParentTask = z.infer<typeof parentTaskSchema>;

export const runListItemSchema = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    project: z.string(),
    workflowId: z.uuid(),
    workflow: z.string(),
    workflowVersion: z.number().int(),
    state: runStateSchema,
    trigger: runTriggerSchema,
    scheduleId: z.uuid().nullable(),
    schedule: z.string().nullable(),
    fireAt: instantSchema.nullable(),
    rerunOf: z.uuid().nullable(),
    backfillId: z.uuid().nullable(),
    /** Of a run that a task has started, for as long as that one is kept. */
    parent: parentTaskSchema.nullable(),
    createdBy: z.string().nullable(),
    taskCount: z.number().int(),
    createdAt: instantSchema,
    startedAt: instantSchema.nullable(),
    finishedAt: instantSchema.nullable(),
  })
  .meta({ id: 'RunListItem' });
export type RunListItem = z.infer<typeof runListItemSchema>;
export const runPageSchema = pageOf(runListItemSchema, 'RunPage');

/** What selects runs. `state` may be given several times or as a comma list; `id` is the beginning of a run's id, or its last eight characters. */
export const runFilterSchema = z.object({
  state: z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : value.split(',')))
    .pipe(z.array(runStateSchema))
    .optional(),
  workflowId: z.uuid().optional(),
  projectId: z.uuid().optional(),
  scheduleId: z.uuid().optional(),
  trigger: runTriggerSchema.optional(),
  backfillId: z.uuid().optional(),
  /** Runs that tasks of this run have started. */
  parentRunId: z.uuid().optional(),
  since: instantSchema.optional(),
  until: instantSchema.optional(),
  id: z
    .string()
    .regex(/^[0-9a-fA-F-]{4,36}$/, told(phrase('run-id-part-form')))
    .optional(),
});
export type RunFilter = z.infer<typeof runFilterSchema>;

/** By creation, or by duration: then only runs that have begun and ended are listed. */
export const runSortSchema = z.enum(['newest', 'oldest', 'longest', 'shortest']);
export type RunSort = z.infer<typeof runSortSchema>;

export const RUN_PAGE_MAX = 2000;

/** `page` counts from 1 and goes there at once; a `cursor` goes on where a page ended, and then `page` is not looked at. */
export const runQuerySchema = pageQuerySchema.extend({
  ...runFilterSchema.shape,
  sort: runSortSchema.default('newest'),
  page: z.coerce.number().int().min(1).max(RUN_PAGE_MAX).default(1),
});
export type RunQuery = z.infer<typeof runQuerySchema>;

/**
 * Why a task run waits, or how it ended: a stable code, a text in English, and what the text holds, by which a program, or a person of another language, reads the
 * same. Which values there are depends on the code.
 */
export const reasonSchema = z
  .object({
    code: z.string(),
    text: z.string(),
    values: z.record(z.string(), z.unknown()).optional(),
    /** What `text` says, for any language, where it has no values of its own: of a run that never began, of a task whose attempt failed. Faults stand by field. */
    explanation: phraseSchema.optional(),
    faults: z.array(problemFieldSchema).optional(),
  })
  .loose()
  .meta({ id: 'Reason' });
export type Reason = z.infer<typeof reasonSchema>;

/**
 * `reason` is there for a run that failed before its first task, as one that its schedule could not start, and for one that waits for its key or was skipped for it.
 * `cancelledBy` is the name of who cancelled it, for as long as the audit knows; `pausedBy` of who paused it last, while it is paused.
 */
export const runViewSchema = runListItemSchema
  .extend({
    parameters: z.record(z.string(), z.unknown()),
    counts: taskCountsSchema,
    reason: reasonSchema.nullable(),
    cancelledBy: z.string().nullable(),
    pausedBy: z.string().nullable(),
    /** Its final tasks were cancelled with it. */
    finalsCancelled: z.boolean(),
    /** The runs that it is a part of, the outermost first; the last is its parent. */
    within: z.array(parentTaskSchema),
  })
  .meta({ id: 'Run' });
export type RunView = z.infer<typeof runViewSchema>;

export const startRunSchema = z
  .strictObject({ parameters: z.record(z.string(), z.unknown()).default({}), version: z.number().int().min(1).max(VERSION_MAX).optional() })
  .meta({ id: 'StartRun' });
export type StartRun = z.infer<typeof startRunSchema>;

/** `finally: cancel` stops the final tasks as well, also those of a run that is being cancelled already; without it they run once the others have ended. */
export const cancelRequestSchema = z.strictObject({ finally: z.enum(['run', 'cancel']).default('run') }).meta({ id: 'CancelRequest' });
export type CancelRequest = z.infer<typeof cancelRequestSchema>;

export const rerunModeSchema = z.enum(['all', 'failed', 'from']);
export type RerunMode = z.infer<typeof rerunModeSchema>;

const fromNeedsTasks = ({ mode, tasks }: { mode: RerunMode; tasks?: readonly string[] }) => (mode === 'from') === (tasks !== undefined);
const fromNeedsTasksText = { error: told(phrase('from-needs-tasks')), path: ['tasks'] };
const rerunTasksSchema = z.array(z.string().max(300)).min(1).max(1000);

/**
 * `failed` keeps what succeeded and runs again what did not, and everything after it. `from` runs these tasks again, with what depends on them unless `descendants` is
 * false, and keeps the end of every other one. `parameters` take the place of the values of the ended run; those that are left out stay.
 * An approval is not kept when they change: it was given for the earlier ones.
 */
export const rerunRequestSchema = z
  .object({
    mode: rerunModeSchema.default('failed'),
    tasks: rerunTasksSchema.optional(),
    descendants: z.boolean().default(true),
    parameters: z.record(z.string(), z.unknown()).default({}),
  })
  .refine(fromNeedsTasks, fromNeedsTasksText)
  .meta({ id: 'RerunRequest' });
export type RerunRequest = z.infer<typeof rerunRequestSchema>;

/** The same as a query: `tasks` several times or as a comma list. */
export const rerunPreviewQuerySchema = z
  .object({
    mode: rerunModeSchema.default('failed'),
    tasks: z
      .union([z.string(), z.array(z.string())])
      .transform((value) => (Array.isArray(value) ? value : value.split(',')))
      .pipe(rerunTasksSchema)
      .optional(),
    descendants: queryFlagSchema.default(true),
  })
  .refine(fromNeedsTasks, fromNeedsTasksText);
export type RerunPreviewQuery = z.infer<typeof rerunPreviewQuerySchema>;

export const taskRunAttemptSchema = z
  .object({ id: z.uuid(), number: z.number().int(), state: attemptStateSchema, nodeId: z.uuid(), node: z.string() })
  .meta({ id: 'TaskRunAttempt' });

/** Instances of a mapped task, or iterations of a repeated one: of these `total` is how many there are so far, and `atMost` how many there may be. */
export const taskPartsSchema = z
  .object({
    total: z.number().int(),
    begun: z.number().int(),
    ended: z.number().int(),
    failed: z.number().int(),
    atMost: z.number().int().nullable(),
  })
  .meta({ id: 'TaskParts' });
export type TaskParts = z.infer<typeof taskPartsSchema>;

/** A task run as lists and graphs show it; `attempt` is the newest one. */
export const taskRunItemSchema = z
  .object({
    id: z.uuid(),
    key: z.string(),
    position: z.number().int(),
    state: taskRunStateSchema,
    reason: reasonSchema.nullable(),
    tries: z.number().int(),
    readyAt: instantSchema.nullable(),
    retryAt: instantSchema.nullable(),
    startedAt: instantSchema.nullable(),
    finishedAt: instantSchema.nullable(),
    keptFrom: z.uuid().nullable(),
    /** Of an instance of a mapped task: the task run that it is a part of, which item (from 0), and its value. */
    parentId: z.uuid().nullable(),
    item: z.number().int().nullable(),
    itemValue: z.unknown(),
    /** Of a sub-workflow: the run of its latest attempt. */
    child: z
      .object({ runId: z.uuid(), workflowId: z.uuid(), workflow: z.string(), version: z.number().int(), state: runStateSchema })
      .nullable(),
    /** Of a mapped task that has begun: how many instances there are, may have begun, have ended, have failed. */
    parts: taskPartsSchema.nullable(),
    attempt: taskRunAttemptSchema.nullable(),
  })
  .meta({ id: 'TaskRunItem' });
export type TaskRunItem = z.infer<typeof taskRunItemSchema>;

/** All task runs of a run in the order of the definition: not paged, since a graph needs them all. */
export const runTasksSchema = z
  .object({ runId: z.uuid(), workflowId: z.uuid(), workflowVersion: z.number().int(), items: z.array(taskRunItemSchema) })
  .meta({ id: 'RunTasks' });
export type RunTasks = z.infer<typeof runTasksSchema>;

/** How many runs a filter finds; counted up to a bound, `isMore` when there are more. */
export const runCountSchema = z.object({ count: z.number().int(), isMore: z.boolean() }).meta({ id: 'RunCount' });
export type RunCount = z.infer<typeof runCountSchema>;
