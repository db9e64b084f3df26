import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema } from './paging.js';

/** `nextFires` holds at most five instants; empty while the schedule is disabled. */
export const scheduleViewSchema = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    project: z.string(),
    workflowId: z.uuid(),
    workflow: z.string(),
    name: z.string(),
    cron: z.string(),
    zone: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    misfire: z.object({ policy: z.enum(['skip', 'run-once', 'run-all']), max: z.number().int() }),
    enabled: z.boolean(),
    nextFireAt: instantSchema.nullable(),
    nextFires: z.array(instantSchema),
    lastRunId: z.uuid().nullable(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'Schedule' });
export type ScheduleView = z.infer<typeof scheduleViewSchema>;
export const schedulePageSchema = pageOf(scheduleViewSchema, 'SchedulePage');

export const scheduleQuerySchema = pageQuerySchema.extend({ workflowId: z.uuid().optional(), projectId: z.uuid().optional() });
export type ScheduleQuery = z.infer<typeof scheduleQuerySchema>;

/** Enabling never fires at once: the next fire is strictly in the future. */
export const patchScheduleSchema = z.strictObject({ enabled: z.boolean() }).meta({ id: 'PatchSchedule' });
export type PatchSchedule = z.infer<typeof patchScheduleSchema>;

export const nextFiresQuerySchema = z.object({ count: z.coerce.number().int().min(1).max(100).default(10) });
export type NextFiresQuery = z.infer<typeof nextFiresQuerySchema>;

export const previewScheduleSchema = z
  .strictObject({
    cron: z.string().min(1).max(200),
    zone: z.string().min(1).max(100).default('UTC'),
    count: z.number().int().min(1).max(100).default(10),
  })
  .meta({ id: 'PreviewSchedule' });
export type PreviewSchedule = z.infer<typeof previewScheduleSchema>;

/** `local` is the wall-clock time in the schedule's zone with its offset. */
export const nextFiresSchema = z
  .object({ zone: z.string(), items: z.array(z.object({ at: instantSchema, local: z.string() })) })
  .meta({ id: 'NextFires' });
export type NextFires = z.infer<typeof nextFiresSchema>;
