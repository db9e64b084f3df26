import { z } from 'zod';

/** How a person decides that a task of a run ends, and why; the reason is kept with the task. */
export const markTaskRunSchema = z
  .strictObject({ as: z.enum(['succeeded', 'failed', 'skipped']), reason: z.string().trim().min(1).max(1000) })
  .meta({ id: 'MarkTaskRun' });
export type MarkTaskRun = z.infer<typeof markTaskRunSchema>;
