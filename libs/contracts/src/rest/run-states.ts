import { z } from 'zod';

export const runStateSchema = z.enum(['queued', 'running', 'paused', 'cancelling', 'succeeded', 'failed', 'cancelled']);
export const taskRunStateSchema = z.enum([
  'waiting',
  'ready',
  'blocked',
  'dispatched',
  'running',
  'retry-wait',
  'paused',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
]);
export const attemptStateSchema = z.enum(['dispatched', 'running', 'stopping', 'succeeded', 'failed', 'timed_out', 'cancelled', 'lost']);
export const runTriggerSchema = z.enum(['manual', 'schedule', 'rerun', 'backfill', 'webhook', 'parent']);
export type RunTrigger = z.infer<typeof runTriggerSchema>;

/** How many task runs of a run are in each state; a state with none is absent. */
export const taskCountsSchema = z.partialRecord(taskRunStateSchema, z.number().int()).meta({ id: 'TaskCounts' });
export type TaskCounts = z.infer<typeof taskCountsSchema>;
