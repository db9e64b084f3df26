/** How cron fields are read. `unix`: 5 fields, or 6 with seconds first, Sunday is 0 and 7. `quartz`: 6 fields, or 7 with a year, Sunday is 1. */
export type CronDialect = 'unix' | 'quartz';

/** What becomes of a time of day that does not exist because clocks go forward: the end of the gap, or nothing. */
export type GapPolicy = 'shift' | 'skip';

/** How often a time of day counts that comes twice because clocks go back. */
export type OverlapHourPolicy = 'once' | 'twice';

/** What becomes of a fire while a run of the same schedule has not ended. */
export type OverlapPolicy = 'allow' | 'skip' | 'queue' | 'cancel-running';
export const overlapPolicies = ['allow', 'skip', 'queue', 'cancel-running'] as const satisfies OverlapPolicy[];

/** Of `gap` and `overlapHour` null means: as is usual for the expression, see `cron.ts`. */
export interface CronTiming {
  kind: 'cron';
  cron: string;
  dialect: CronDialect;
  gap: GapPolicy | null;
  overlapHour: OverlapHourPolicy | null;
}

/** Every so many seconds of elapsed time. */
export interface FixedRate {
  kind: 'fixed-rate';
  seconds: number;
}

/** So many seconds after the run that it started before has ended. */
export interface FixedDelay {
  kind: 'fixed-delay';
  seconds: number;
}

/** Once, at an instant: a date and time of the schedule's zone, or one with an offset. */
export interface OneShot {
  kind: 'one-shot';
  at: string;
}

/** Each delivery that is signed and in time. */
export interface Webhook {
  kind: 'webhook';
  /** By parameter the JSON Pointer that finds its value in the payload; null: the fields of the payload are parameters by their names. */
  payload: Record<string, string> | null;
  /** Deliveries that start runs in a minute. */
  perMinute: number;
  /** How far the sender's clock may be off, or its delivery be old. */
  toleranceSeconds: number;
}

/** Runs of a workflow of which a date needs one that has succeeded. */
export interface UpstreamNeed {
  /** Null: of the schedule's own project. */
  project: string | null;
  /** Null: the schedule itself, whose own run of an earlier date has to have succeeded. */
  workflow: string | null;
  /** The date it has to be of, counted from the schedule's: 0 is the same, -1 the day before. Of the schedule itself: so many of its own dates earlier. */
  day: number;
  /** `all`: a run of each hour of that day, which has 23 or 25 hours when clocks are changed. Null: one run of that day. */
  hours: 'all' | null;
}

/** Each date for which all that it needs has succeeded: once, and not before the date has begun. */
export interface Upstream {
  kind: 'upstream';
  upstreams: UpstreamNeed[];
}

/** What of time starts the runs of a schedule. */
export type ScheduleRule = CronTiming | FixedRate | FixedDelay | OneShot | Upstream;
export type ScheduleKind = ScheduleRule['kind'];

/** What starts the runs of a schedule: time, or a call. */
export type StartRule = ScheduleRule | Webhook;
export type StartKind = StartRule['kind'];
