import { z } from 'zod';
import { instantSchema } from './paging.js';
import { runStateSchema } from './run-states.js';

/**
 * How one upstream of a date stands. `workflow` is `project/workflow`, null for the schedule's own run; ids are null for what the caller may not see. `day` is the date that its run has to be
 * of, null when none so early is waited for. `missingHours` are those that lack a run, of `hours` in all. `run` is the newest run of that date while it has not succeeded.
 */
export const upstreamStateSchema = z
  .object({
    workflow: z.string().nullable(),
    workflowId: z.uuid().nullable(),
    isRemoved: z.boolean(),
    day: z.iso.date().nullable(),
    isThere: z.boolean(),
    hours: z.number().int().nullable(),
    missingHours: z.array(instantSchema),
    run: z.object({ id: z.uuid(), state: runStateSchema }).nullable(),
  })
  .meta({ id: 'UpstreamState' });
export type UpstreamState = z.infer<typeof upstreamStateSchema>;

/** `waiting`: something is missing. `ready`: it fires when its day begins, or when a run of the schedule lets it. `fired`: it was, by the schedule or by a backfill. */
export const upstreamDateSchema = z
  .object({
    day: z.iso.date(),
    fireAt: instantSchema,
    state: z.enum(['waiting', 'ready', 'fired']),
    needs: z.array(upstreamStateSchema),
  })
  .meta({ id: 'UpstreamDate' });
export type UpstreamDateView = z.infer<typeof upstreamDateSchema>;

/** The dates that have not fired, to the day after today, and the last that have; ascending. `since` is the first date that counts, null while the schedule is disabled. */
export const upstreamDatesSchema = z
  .object({ zone: z.string(), since: z.iso.date().nullable(), items: z.array(upstreamDateSchema) })
  .meta({ id: 'UpstreamDates' });
export type UpstreamDatesView = z.infer<typeof upstreamDatesSchema>;
