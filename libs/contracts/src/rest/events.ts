import { z } from 'zod';

/**
 * GET /events sends these as `event: changed` with an array as data: what changed, not how. After a reconnect
 * (`event: hello`) fetch again whatever is on screen.
 */
export const changeEventSchema = z
  .object({
    /** `log`: only the log of the attempt `id` has grown. */
    entity: z.enum(['run', 'task-run', 'attempt', 'log', 'node', 'schedule', 'workflow', 'pool', 'backfill']),
    id: z.uuid(),
    projectId: z.uuid().optional(),
    runId: z.uuid().optional(),
  })
  .meta({ id: 'ChangeEvent' });
export type ChangeEvent = z.infer<typeof changeEventSchema>;
export const changeEventsSchema = z.array(changeEventSchema);
