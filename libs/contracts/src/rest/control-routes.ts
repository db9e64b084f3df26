import { markTaskRunSchema } from './control.js';
import type { RestRoute } from './route.js';
import { runViewSchema } from './runs.js';
import { taskRunViewSchema } from './task-runs.js';

/** How people steer what runs. */
export const controlRoutes = {
  pauseRun: { method: 'POST', path: '/runs/:id/pause', summary: 'Let nothing more of a run begin', answer: runViewSchema },
  resumeRun: { method: 'POST', path: '/runs/:id/resume', summary: 'Let a paused run go on', answer: runViewSchema },
  markTaskRun: {
    method: 'POST',
    path: '/task-runs/:id/mark',
    summary: 'Decide how a task ends that has not ended: what runs is stopped first',
    body: markTaskRunSchema,
    answer: taskRunViewSchema,
  },
} as const satisfies Record<string, RestRoute>;
