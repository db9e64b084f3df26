import { approvalPageSchema, approvalQuerySchema, decideApprovalSchema } from './approvals.js';
import { markTaskRunSchema } from './control.js';
import { dryRunFileSchema, dryRunSchema } from './dry-run.js';
import type { RestRoute } from './route.js';
import { runViewSchema, startRunSchema } from './runs.js';
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
  listApprovals: {
    method: 'GET',
    path: '/approvals',
    summary: 'What waits for a decision, the longest waiting first or as sorted',
    query: approvalQuerySchema,
    answer: approvalPageSchema,
  },
  decideApproval: {
    method: 'POST',
    path: '/task-runs/:id/decision',
    summary: 'Approve or reject, by those whom the task names',
    body: decideApprovalSchema,
    answer: taskRunViewSchema,
  },
  dryRun: {
    method: 'POST',
    path: '/workflows/:id/dry-run',
    summary: 'What a run would do: order, what is skipped, where each task could run now; nothing is written',
    body: startRunSchema,
    answer: dryRunSchema,
  },
  dryRunFile: {
    method: 'POST',
    path: '/workflows/dry-run',
    summary: 'The same of a definition that is stored nowhere',
    body: dryRunFileSchema,
    answer: dryRunSchema,
  },
} as const satisfies Record<string, RestRoute>;
