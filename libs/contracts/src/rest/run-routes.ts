import type { RestRoute } from './route.js';
import { runBulkListSchema, runBulkPreviewSchema, runBulkSchema, runBulkScopeSchema, startRunBulkSchema } from './run-bulks.js';
import {
  rerunPreviewSchema,
  runAttemptsSchema,
  runEventPageSchema,
  runGridQuerySchema,
  runGridSchema,
  runHistoryQuerySchema,
} from './run-detail.js';
import { rerunPreviewQuerySchema, runCountSchema, runFilterSchema } from './runs.js';
import { putSavedViewSchema, savedViewListSchema, savedViewQuerySchema, savedViewSchema } from './saved-views.js';
import { workflowDagSchema } from './workflows.js';

/** Beside the runs themselves: what lists, grids and histories of them need, and views of lists that people saved. */
export const runRoutes = {
  countRuns: {
    method: 'GET',
    path: '/runs/count',
    summary: 'How many runs a filter finds',
    query: runFilterSchema,
    answer: runCountSchema,
  },
  getRunGrid: {
    method: 'GET',
    path: '/workflows/:id/grid',
    summary: 'States of all tasks in the last runs of a workflow',
    query: runGridQuerySchema,
    answer: runGridSchema,
  },
  getRunDag: {
    method: 'GET',
    path: '/runs/:id/dag',
    summary: 'Tasks with levels and needs of the version that a run executes',
    answer: workflowDagSchema,
  },
  getRunAttempts: { method: 'GET', path: '/runs/:id/attempts', summary: 'All attempts of a run', answer: runAttemptsSchema },
  getRunHistory: {
    method: 'GET',
    path: '/runs/:id/history',
    summary: 'What happened in a run, by time',
    query: runHistoryQuerySchema,
    answer: runEventPageSchema,
  },
  previewRerun: {
    method: 'GET',
    path: '/runs/:id/rerun-preview',
    summary: 'What a rerun would keep and what it would run again',
    query: rerunPreviewQuerySchema,
    answer: rerunPreviewSchema,
  },
  previewRunBulk: {
    method: 'POST',
    path: '/runs/bulk/preview',
    summary: 'How many runs an action on many would hit',
    body: runBulkScopeSchema,
    answer: runBulkPreviewSchema,
  },
  startRunBulk: {
    method: 'POST',
    path: '/runs/bulk',
    summary: 'Cancel or rerun many runs',
    body: startRunBulkSchema,
    answer: runBulkSchema,
    status: 202,
    repeatable: true,
  },
  listRunBulks: { method: 'GET', path: '/runs/bulk', summary: "The caller's actions on many runs", answer: runBulkListSchema },
  getRunBulk: { method: 'GET', path: '/runs/bulk/:id', summary: 'How far an action on many runs is', answer: runBulkSchema },
  stopRunBulk: { method: 'DELETE', path: '/runs/bulk/:id', summary: 'Leave the remaining runs as they are', answer: runBulkSchema },
  listSavedViews: {
    method: 'GET',
    path: '/saved-views',
    summary: "The caller's views of a page",
    query: savedViewQuerySchema,
    answer: savedViewListSchema,
  },
  createSavedView: {
    method: 'POST',
    path: '/saved-views',
    summary: 'Save a view of a page',
    body: putSavedViewSchema,
    answer: savedViewSchema,
    status: 201,
    repeatable: true,
  },
  putSavedView: {
    method: 'PUT',
    path: '/saved-views/:id',
    summary: 'Rename or change a view',
    body: putSavedViewSchema,
    answer: savedViewSchema,
  },
  removeSavedView: { method: 'DELETE', path: '/saved-views/:id', summary: 'Remove a view', status: 204 },
} as const satisfies Record<string, RestRoute>;
