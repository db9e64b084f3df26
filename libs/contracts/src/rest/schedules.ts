import { overlapPolicies, phrase } from '@medley/core';
import { z } from 'zod';
import { timetableShape } from '../workflow/schema/schedule.schema.js';
import { instantSchema, pageOf, pageQuerySchema, queryFlagSchema } from './paging.js';
import { runStateSchema } from './run-states.js';
import { told } from './told.js';

export const scheduleLastRunSchema = z
  .object({ id: z.uuid(), state: runStateSchema, fireAt: instantSchema, finishedAt: instantSchema.nullable() })
  .meta({ id: 'ScheduleLastRun' });

/** What starts its runs. */
export const scheduleKindSchema = z.enum(['cron', 'fixed-rate', 'fixed-delay', 'one-shot', 'webhook', 'upstream']);
export type ScheduleKind = z.infer<typeof scheduleKindSchema>;

/** `project` is null for the schedule's own, `workflow` for the schedule itself. `day` counts dates from the schedule's: -1 is the one before. */
const upstreamNeedSchema = z
  .object({ project: z.string().nullable(), workflow: z.string().nullable(), day: z.number().int(), hours: z.enum(['all']).nullable() })
  .meta({ id: 'UpstreamNeed' });

const scheduleRuleSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('cron'),
      cron: z.string(),
      dialect: z.enum(['unix', 'quartz']),
      gap: z.enum(['shift', 'skip']).nullable(),
      overlapHour: z.enum(['once', 'twice']).nullable(),
    }),
    z.object({ kind: z.literal('fixed-rate'), seconds: z.number() }),
    z.object({ kind: z.literal('fixed-delay'), seconds: z.number() }),
    z.object({ kind: z.literal('one-shot'), at: z.string() }),
    z.object({ kind: z.literal('upstream'), upstreams: z.array(upstreamNeedSchema) }),
  ])
  .meta({ id: 'ScheduleRule' });

/** A fire that started no run because the one before was active. */
export const passedOverSchema = z.object({ fireAt: instantSchema, runId: z.uuid() }).meta({ id: 'PassedOverFire' });

/**
 * `nextFires` holds at most five instants; empty while the schedule is disabled. `cron` is the expression of a cron rule. Of `start` and `end` a day, or a date and time, of the zone. While
 * `heldByRunId` is set the next fire waits for that run.
 */
export const scheduleViewSchema = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    project: z.string(),
    workflowId: z.uuid(),
    workflow: z.string(),
    name: z.string(),
    kind: scheduleKindSchema,
    /** Of a cron schedule only. */
    cron: z.string().nullable(),
    /** Of one that time starts. */
    rule: scheduleRuleSchema.nullable(),
    zone: z.string(),
    /** The name of the calendar of the project whose days off it rests on. */
    calendar: z.string().nullable(),
    start: z.string().nullable(),
    end: z.string().nullable(),
    jitterSeconds: z.number(),
    overlap: z.enum(overlapPolicies),
    heldByRunId: z.uuid().nullable(),
    passedOver: passedOverSchema.nullable(),
    parameters: z.record(z.string(), z.unknown()),
    misfire: z.object({ policy: z.enum(['skip', 'run-once', 'run-all']), max: z.number().int() }),
    enabled: z.boolean(),
    nextFireAt: instantSchema.nullable(),
    nextFires: z.array(instantSchema),
    lastRunId: z.uuid().nullable(),
    /** Of its latest fire, also one that a backfill made up for. */
    lastRun: scheduleLastRunSchema.nullable(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'Schedule' });
export type ScheduleView = z.infer<typeof scheduleViewSchema>;
export const schedulePageSchema = pageOf(scheduleViewSchema, 'SchedulePage');

export const scheduleSorts = ['workflow', '-workflow', 'name', '-name', 'next', '-next', 'zone', '-zone'] as const;
export type ScheduleSort = (typeof scheduleSorts)[number];

/** `search` looks into the names of schedules and of their workflows, rules and zones. */
const scheduleFilter = { workflowId: z.uuid().optional(), projectId: z.uuid().optional(), search: z.string().max(100).optional() };

/** A `-` before the sort turns it round; schedules that never fire again come last by `next`. */
export const scheduleQuerySchema = pageQuerySchema.extend({
  ...scheduleFilter,
  enabled: queryFlagSchema.optional(),
  sort: z.enum(scheduleSorts).default('workflow'),
});
export type ScheduleQuery = z.infer<typeof scheduleQuerySchema>;

/** Enables or disables whatever the filter matches and the caller may operate; `dryRun` only counts. */
export const switchSchedulesSchema = z
  .strictObject({
    ...scheduleFilter,
    ids: z.array(z.uuid()).min(1).max(1000).optional(),
    enabled: z.boolean(),
    dryRun: z.boolean().default(false),
  })
  .meta({ id: 'SwitchSchedules' });
export type SwitchSchedules = z.infer<typeof switchSchedulesSchema>;

/** `matched` schedules are hit by the filter, `changed` of them were (or would be) switched; the others are as wanted already. */
export const switchedSchedulesSchema = z
  .object({ matched: z.number().int(), changed: z.number().int(), dryRun: z.boolean() })
  .meta({ id: 'SwitchedSchedules' });
export type SwitchedSchedules = z.infer<typeof switchedSchedulesSchema>;

/** `zone` decides where a day begins and ends. */
export const calendarQuerySchema = z.object({
  month: z.string().regex(/^(20\d\d)-(0[1-9]|1[0-2])$/, told(phrase('month-form'))),
  zone: z.string().min(1).max(100).default('UTC'),
  projectId: z.uuid().optional(),
  workflowId: z.uuid().optional(),
  scheduleId: z.uuid().optional(),
});
export type CalendarQuery = z.infer<typeof calendarQuerySchema>;

/** The fires of one schedule on one day: all instants of a schedule that fires seldom, else the first one and how many there are. */
export const calendarFireSchema = z
  .object({
    scheduleId: z.uuid(),
    schedule: z.string(),
    workflowId: z.uuid(),
    workflow: z.string(),
    count: z.number().int(),
    at: z.array(instantSchema),
  })
  .meta({ id: 'CalendarFire' });
export type CalendarFire = z.infer<typeof calendarFireSchema>;

export const calendarRunSchema = z
  .object({ id: z.uuid(), state: runStateSchema, scheduleId: z.uuid(), schedule: z.string(), workflow: z.string(), fireAt: instantSchema })
  .meta({ id: 'CalendarRun' });
export type CalendarRun = z.infer<typeof calendarRunSchema>;

/** `fires` are to come, `runs` are what became of those that came; both are cut, the counts are not. */
export const calendarDaySchema = z
  .object({
    day: z.iso.date(),
    fireCount: z.number().int(),
    fires: z.array(calendarFireSchema),
    runCounts: z.partialRecord(runStateSchema, z.number().int()),
    runs: z.array(calendarRunSchema),
  })
  .meta({ id: 'CalendarDay' });
export type CalendarDay = z.infer<typeof calendarDaySchema>;

/** `schedulesLeftOut` counts enabled schedules beyond those that one answer can hold; `runsSince` is set when older runs of the month are left out. */
export const scheduleCalendarSchema = z
  .object({
    month: z.string(),
    zone: z.string(),
    at: instantSchema,
    days: z.array(calendarDaySchema),
    schedulesLeftOut: z.number().int(),
    runsSince: instantSchema.nullable(),
  })
  .meta({ id: 'ScheduleCalendar' });
export type ScheduleCalendar = z.infer<typeof scheduleCalendarSchema>;

/** Enabling never fires at once: the next fire is strictly in the future. */
export const patchScheduleSchema = z.strictObject({ enabled: z.boolean() }).meta({ id: 'PatchSchedule' });
export type PatchSchedule = z.infer<typeof patchScheduleSchema>;

export const nextFiresQuerySchema = z.object({ count: z.coerce.number().int().min(1).max(100).default(10) });
export type NextFiresQuery = z.infer<typeof nextFiresQuerySchema>;

/** When it would fire, by the keys of the workflow file: exactly one of `cron`, `fixedRate`, `fixedDelay`, `at` and `upstream`. Of the last: when each of its dates begins, before which it does not fire. */
export const previewScheduleSchema = z
  .strictObject({
    ...timetableShape,
    cron: z.string().min(1).max(200).optional(),
    zone: z.string().min(1).max(100).default('UTC'),
    /** Of the project that `calendar` belongs to. */
    projectId: z.uuid().optional(),
    count: z.number().int().min(1).max(100).default(10),
  })
  .meta({ id: 'PreviewSchedule' });
export type PreviewSchedule = z.infer<typeof previewScheduleSchema>;

/** A fire that does not come, since its day is none of the calendar's working days: the first of that day. `name` is that of the day. */
export const dayOffSchema = z
  .object({ at: instantSchema, local: z.string(), code: z.enum(['day-excluded', 'day-of-weekend']), name: z.string() })
  .meta({ id: 'FireOnDayOff' });

/** `local` is the wall-clock time in the schedule's zone with its offset. */
export const nextFiresSchema = z
  .object({ zone: z.string(), items: z.array(z.object({ at: instantSchema, local: z.string() })), daysOff: z.array(dayOffSchema) })
  .meta({ id: 'NextFires' });
export type NextFires = z.infer<typeof nextFiresSchema>;
