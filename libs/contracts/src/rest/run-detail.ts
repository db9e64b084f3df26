import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema } from './paging.js';
import { taskRunStateSchema } from './run-states.js';
import { rerunModeSchema, runListItemSchema } from './runs.js';
import { attemptViewSchema } from './task-runs.js';

/** All attempts of a run, by task and then by fence; `isMore` when there are more than an answer may hold. */
export const runAttemptSchema = attemptViewSchema.extend({ taskKey: z.string() }).meta({ id: 'RunAttempt' });
export type RunAttempt = z.infer<typeof runAttemptSchema>;
export const runAttemptsSchema = z
  .object({ runId: z.uuid(), items: z.array(runAttemptSchema), isMore: z.boolean() })
  .meta({ id: 'RunAttempts' });
export type RunAttempts = z.infer<typeof runAttemptsSchema>;

const rerunTaskSchema = z.object({ key: z.string(), state: taskRunStateSchema.nullable() });

/**
 * What a rerun would keep and what it would run again, in the order of the definition; `state` as the ended run left the task. `unmet` are chosen tasks whose needs
 * do not hold by what is kept, and why: with one of these nothing is started. `keptApprovals` are approvals among what is kept, and tasks that run a workflow with one: with changed parameters nothing is started
 * while there is one. `overtakenApprovals` are those of them behind a task that runs again: with one of these nothing is started either.
 */
export const rerunPreviewSchema = z
  .object({
    runId: z.uuid(),
    mode: rerunModeSchema,
    kept: z.array(rerunTaskSchema),
    anew: z.array(rerunTaskSchema),
    /** `values` hold what `reason` says: the needs that do not hold, the first few. */
    unmet: z.array(z.object({ key: z.string(), reason: z.string(), values: z.record(z.string(), z.unknown()) })),
    keptApprovals: z.array(z.string()),
    overtakenApprovals: z.array(z.string()),
  })
  .meta({ id: 'RerunPreview' });
export type RerunPreview = z.infer<typeof rerunPreviewSchema>;

export const GRID_RUNS_MAX = 100;

/** The newest runs of a workflow, or those before a run. */
export const runGridQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(GRID_RUNS_MAX).default(25),
  before: z.uuid().optional(),
});
export type RunGridQuery = z.infer<typeof runGridQuerySchema>;

/** One run of a grid; its lists go with `tasks` of the grid: null, or a zero, where the run has no such task. `nodes` are places in the grid's list. */
export const gridRunSchema = runListItemSchema
  .extend({
    states: z.array(taskRunStateSchema.nullable()),
    tries: z.array(z.number().int()),
    milliseconds: z.array(z.number().nullable()),
    nodes: z.array(z.number().int().nullable()),
  })
  .meta({ id: 'GridRun' });
export type GridRun = z.infer<typeof gridRunSchema>;

/** Tasks × runs, the newest run first. Large workflows get fewer runs; `before` is where the next older ones begin, null when there are none. */
export const runGridSchema = z
  .object({
    workflowId: z.uuid(),
    tasks: z.array(z.string()),
    nodes: z.array(z.string()),
    runs: z.array(gridRunSchema),
    before: z.uuid().nullable(),
  })
  .meta({ id: 'RunGrid' });
export type RunGrid = z.infer<typeof runGridSchema>;

export const runEventKindSchema = z.enum([
  'run-created',
  'run-started',
  'run-paused',
  'run-resumed',
  'cancel-requested',
  'run-ended',
  'rerun-created',
  'task-ready',
  'child-started',
  'attempt-dispatched',
  'attempt-claimed',
  'attempt-started',
  'attempt-stopping',
  'attempt-ended',
  'retry-planned',
  'task-ended',
]);
export type RunEventKind = z.infer<typeof runEventKindSchema>;

/** `compact` leaves out what every task goes through; `order` by time. */
export const runHistoryQuerySchema = pageQuerySchema.extend({
  level: z.enum(['compact', 'full']).default('full'),
  order: z.enum(['oldest', 'newest']).default('oldest'),
});
export type RunHistoryQuery = z.infer<typeof runHistoryQuerySchema>;

/** Something that happened in a run. Which values `data` holds depends on the kind. */
export const runEventSchema = z
  .object({
    id: z.string(),
    at: instantSchema,
    kind: runEventKindSchema,
    taskRunId: z.uuid().nullable(),
    taskKey: z.string().nullable(),
    attemptId: z.uuid().nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'RunEvent' });
export type RunEvent = z.infer<typeof runEventSchema>;
export const runEventPageSchema = pageOf(runEventSchema, 'RunEventPage');
