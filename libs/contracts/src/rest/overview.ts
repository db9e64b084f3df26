import { z } from 'zod';
import { nodeListItemSchema, nodeStateSchema } from './nodes.js';
import { instantSchema } from './paging.js';
import { runStateSchema, taskRunStateSchema } from './run-states.js';
import { reasonSchema, runListItemSchema } from './runs.js';

export const waitingTaskSchema = z
  .object({
    taskRunId: z.uuid(),
    runId: z.uuid(),
    workflow: z.string(),
    taskKey: z.string(),
    state: taskRunStateSchema,
    reason: reasonSchema.nullable(),
    since: instantSchema.nullable(),
  })
  .meta({ id: 'WaitingTask' });

export const nextFireItemSchema = z
  .object({ scheduleId: z.uuid(), schedule: z.string(), workflowId: z.uuid(), workflow: z.string(), at: instantSchema })
  .meta({ id: 'NextFireItem' });

/** Counts of runs that are active or were created within the last 24 hours, of the task runs of active runs, and of nodes; `throughput` has one entry per minute of the last hour. */
export const overviewSchema = z
  .object({
    at: instantSchema,
    runs: z.partialRecord(runStateSchema, z.number().int()),
    taskRuns: z.partialRecord(taskRunStateSchema, z.number().int()),
    nodes: z.partialRecord(nodeStateSchema, z.number().int()),
    running: z.array(runListItemSchema),
    failed: z.array(runListItemSchema),
    waiting: z.array(waitingTaskSchema),
    nextFires: z.array(nextFireItemSchema),
    nodeList: z.array(nodeListItemSchema),
    throughput: z.array(z.object({ minute: instantSchema, succeeded: z.number().int(), failed: z.number().int() })),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof overviewSchema>;
