import { z } from 'zod';
import { nodeStateSchema } from './nodes.js';
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

/** Runs, tasks and fires of one project, or of all. Nodes are always all. */
export const overviewQuerySchema = z.object({ projectId: z.uuid().optional() });
export type OverviewQuery = z.infer<typeof overviewQuerySchema>;

/** Counts of runs that are active or were created within the last 24 hours, of the task runs of active runs, and of nodes; `acceptingNodes` are online and neither cordoned nor draining. */
export const overviewSchema = z
  .object({
    at: instantSchema,
    runs: z.partialRecord(runStateSchema, z.number().int()),
    taskRuns: z.partialRecord(taskRunStateSchema, z.number().int()),
    nodes: z.partialRecord(nodeStateSchema, z.number().int()),
    acceptingNodes: z.number().int(),
    running: z.array(runListItemSchema),
    failed: z.array(runListItemSchema),
    waiting: z.array(waitingTaskSchema),
    nextFires: z.array(nextFireItemSchema),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof overviewSchema>;
