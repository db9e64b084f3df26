import { accessRoutes } from './access/routes.js';
import { agentBundleSchema } from './agent-bundle.js';
import { auditRoutes } from './audit.js';
import { backfillRoutes } from './backfills.js';
import { calendarRoutes } from './calendars.js';
import { computeRoutes } from './compute-routes.js';
import { controlRoutes } from './control-routes.js';
import { changeEventsSchema } from './events.js';
import { activitySchema, clusterLoadSchema, rangeQuerySchema, timelineSchema } from './history.js';
import { limitRoutes } from './limits.js';
import { nodePageSchema, nodeQuerySchema, nodeViewSchema, patchNodeSchema } from './nodes.js';
import { overviewQuerySchema, overviewSchema } from './overview.js';
import { pageQuerySchema } from './paging.js';
import { createPoolSchema, patchPoolSchema, poolPageSchema, poolQuerySchema, poolViewSchema } from './pools.js';
import { projectRoutes } from './project-routes.js';
import { retentionRoutes } from './retention.js';
import type { RestRoute } from './route.js';
import { runRoutes } from './run-routes.js';
import {
  cancelRequestSchema,
  rerunRequestSchema,
  runPageSchema,
  runQuerySchema,
  runTasksSchema,
  runViewSchema,
  startRunSchema,
} from './runs.js';
import {
  calendarQuerySchema,
  nextFiresQuerySchema,
  nextFiresSchema,
  patchScheduleSchema,
  previewScheduleSchema,
  scheduleCalendarSchema,
  schedulePageSchema,
  scheduleQuerySchema,
  scheduleViewSchema,
  switchedSchedulesSchema,
  switchSchedulesSchema,
} from './schedules.js';
import { searchAnswerSchema, searchQuerySchema } from './search.js';
import { secretRoutes } from './secrets.js';
import { signInRoutes } from './sign-in-methods.js';
import {
  attemptViewSchema,
  logDownloadQuerySchema,
  logPageSchema,
  logQuerySchema,
  placementReplaySchema,
  placementViewSchema,
  taskFilesSchema,
  taskPartPageSchema,
  taskPartQuerySchema,
  taskRunViewSchema,
  whySchema,
} from './task-runs.js';
import { upstreamDatesSchema } from './upstream-dates.js';
import { variableRoutes } from './variables.js';
import { webhookRoutes } from './webhooks.js';
import {
  applyAnswerSchema,
  applyQuerySchema,
  dagQuerySchema,
  workflowDagSchema,
  workflowDocumentSchema,
  workflowPageSchema,
  workflowQuerySchema,
  workflowValidationSchema,
  workflowVersionPageSchema,
  workflowVersionViewSchema,
  workflowViewSchema,
} from './workflows.js';

const yaml = ['application/yaml'] as const;

const workflows = {
  listWorkflows: {
    method: 'GET',
    path: '/workflows',
    summary: 'Workflows by name, with their last runs',
    query: workflowQuerySchema,
    answer: workflowPageSchema,
  },
  getWorkflow: {
    method: 'GET',
    path: '/workflows/:id',
    summary: 'A workflow and its latest version',
    answer: workflowViewSchema,
    tagged: true,
  },
  listWorkflowVersions: {
    method: 'GET',
    path: '/workflows/:id/versions',
    summary: 'Versions, the newest first',
    query: pageQuerySchema,
    answer: workflowVersionPageSchema,
  },
  getWorkflowVersion: {
    method: 'GET',
    path: '/workflows/:id/versions/:version',
    summary: 'One version',
    answer: workflowVersionViewSchema,
    tagged: true,
  },
  getWorkflowDag: {
    method: 'GET',
    path: '/workflows/:id/dag',
    summary: 'Tasks with levels and needs',
    query: dagQuerySchema,
    answer: workflowDagSchema,
  },
  validateWorkflow: {
    method: 'POST',
    path: '/workflows/validate',
    summary: 'Every error of a definition, with its position',
    body: workflowDocumentSchema,
    bodyForm: 'workflow-file',
    bodyTypes: yaml,
    answer: workflowValidationSchema,
  },
  applyWorkflow: {
    method: 'POST',
    path: '/workflows/apply',
    summary: 'Create or update a workflow and its schedules; `dryRun` shows the difference only',
    query: applyQuerySchema,
    body: workflowDocumentSchema,
    bodyForm: 'workflow-file',
    bodyTypes: yaml,
    answer: applyAnswerSchema,
    repeatable: true,
    conditional: true,
  },
  listSchedules: {
    method: 'GET',
    path: '/schedules',
    summary: 'Schedules with their next fires',
    query: scheduleQuerySchema,
    answer: schedulePageSchema,
  },
  getScheduleCalendar: {
    method: 'GET',
    path: '/schedules/calendar',
    summary: 'A month by days: the fires to come, and the runs of those that came',
    query: calendarQuerySchema,
    answer: scheduleCalendarSchema,
  },
  switchSchedules: {
    method: 'POST',
    path: '/schedules/switch',
    summary: 'Enable or disable many; `dryRun` only counts them',
    body: switchSchedulesSchema,
    answer: switchedSchedulesSchema,
  },
  getSchedule: { method: 'GET', path: '/schedules/:id', summary: 'A schedule', answer: scheduleViewSchema },
  patchSchedule: {
    method: 'PATCH',
    path: '/schedules/:id',
    summary: 'Enable or disable',
    body: patchScheduleSchema,
    answer: scheduleViewSchema,
  },
  getNextFires: {
    method: 'GET',
    path: '/schedules/:id/next-fires',
    summary: 'The next fire times',
    query: nextFiresQuerySchema,
    answer: nextFiresSchema,
  },
  getUpstreamDates: {
    method: 'GET',
    path: '/schedules/:id/upstream-dates',
    summary: 'Which upstreams of its dates are there, and which are missing',
    answer: upstreamDatesSchema,
  },
  previewSchedule: {
    method: 'POST',
    path: '/schedules/preview',
    summary: 'Fire times of a rule',
    body: previewScheduleSchema,
    answer: nextFiresSchema,
  },
} as const satisfies Record<string, RestRoute>;

const runs = {
  startRun: {
    method: 'POST',
    path: '/workflows/:id/runs',
    summary: 'Start a run',
    body: startRunSchema,
    answer: runViewSchema,
    status: 201,
    repeatable: true,
  },
  listRuns: { method: 'GET', path: '/runs', summary: 'Runs, the newest first', query: runQuerySchema, answer: runPageSchema },
  getRun: { method: 'GET', path: '/runs/:id', summary: 'A run', answer: runViewSchema },
  getRunTasks: { method: 'GET', path: '/runs/:id/tasks', summary: 'All task runs of a run', answer: runTasksSchema },
  cancelRun: {
    method: 'POST',
    path: '/runs/:id/cancel',
    summary: 'Cancel a run; its final tasks run all the same unless they are cancelled too',
    body: cancelRequestSchema,
    answer: runViewSchema,
  },
  rerun: {
    method: 'POST',
    path: '/runs/:id/rerun',
    summary: 'Run again as a new run',
    body: rerunRequestSchema,
    answer: runViewSchema,
    status: 201,
    repeatable: true,
  },
  getTaskRun: { method: 'GET', path: '/task-runs/:id', summary: 'A task run with its attempts', answer: taskRunViewSchema },
  listTaskRunParts: {
    method: 'GET',
    path: '/task-runs/:id/parts',
    summary: 'Instances of a mapped task, by item',
    query: taskPartQuerySchema,
    answer: taskPartPageSchema,
  },
  listTaskFiles: {
    method: 'GET',
    path: '/task-runs/:id/files',
    summary: 'Working files that a task has kept, or that were kept from an earlier run',
    answer: taskFilesSchema,
  },
  downloadTaskFile: {
    method: 'GET',
    path: '/task-runs/:id/files/:fileId/download',
    summary: 'A working file',
    answerType: 'application/octet-stream',
  },
  getWhy: { method: 'GET', path: '/task-runs/:id/why', summary: 'Why it waits, or how it ended', answer: whySchema },
  getAttempt: { method: 'GET', path: '/attempts/:id', summary: 'An attempt', answer: attemptViewSchema },
  getLog: { method: 'GET', path: '/attempts/:id/log', summary: 'Log from a position on', query: logQuerySchema, answer: logPageSchema },
  downloadLog: {
    method: 'GET',
    path: '/attempts/:id/log/download',
    summary: 'The whole log as text',
    query: logDownloadQuerySchema,
    answerType: 'text/plain; charset=utf-8',
  },
  getPlacement: { method: 'GET', path: '/attempts/:id/placement', summary: 'Why this node', answer: placementViewSchema },
  replayPlacement: {
    method: 'POST',
    path: '/attempts/:id/placement/replay',
    summary: 'Decide again from the stored input and compare',
    answer: placementReplaySchema,
  },
} as const satisfies Record<string, RestRoute>;

const operation = {
  listPools: { method: 'GET', path: '/pools', summary: 'Pools', query: poolQuerySchema, answer: poolPageSchema },
  createPool: {
    method: 'POST',
    path: '/pools',
    summary: 'Create a pool',
    body: createPoolSchema,
    answer: poolViewSchema,
    status: 201,
    repeatable: true,
  },
  getPool: { method: 'GET', path: '/pools/:id', summary: 'A pool', answer: poolViewSchema },
  patchPool: { method: 'PATCH', path: '/pools/:id', summary: 'Change the placement policy', body: patchPoolSchema, answer: poolViewSchema },
  removePool: { method: 'DELETE', path: '/pools/:id', summary: 'Remove a pool that nothing uses', status: 204 },
  listNodes: { method: 'GET', path: '/nodes', summary: 'Nodes, by name or as sorted', query: nodeQuerySchema, answer: nodePageSchema },
  getNode: { method: 'GET', path: '/nodes/:id', summary: 'A node with its live attempts', answer: nodeViewSchema },
  patchNode: { method: 'PATCH', path: '/nodes/:id', summary: 'Cordon, drain, label', body: patchNodeSchema, answer: nodeViewSchema },
  removeNode: { method: 'DELETE', path: '/nodes/:id', summary: 'Remove a node that is offline or drained', status: 204 },
  getOverview: { method: 'GET', path: '/overview', summary: 'What is going on', query: overviewQuerySchema, answer: overviewSchema },
  getTimeline: {
    method: 'GET',
    path: '/timeline',
    summary: 'Runs and coming fires of a range of time, by workflow',
    query: rangeQuerySchema,
    answer: timelineSchema,
  },
  getActivity: {
    method: 'GET',
    path: '/activity',
    summary: 'How many task runs ended, and how long they waited and ran, over time',
    query: rangeQuerySchema,
    answer: activitySchema,
  },
  getClusterLoad: {
    method: 'GET',
    path: '/cluster-load',
    summary: 'CPU used and reserved per node, over time',
    query: rangeQuerySchema,
    answer: clusterLoadSchema,
  },
  search: {
    method: 'GET',
    path: '/search',
    summary: 'Workflows, runs, schedules, nodes and pools by name or id',
    query: searchQuerySchema,
    answer: searchAnswerSchema,
  },
  getAgentBundle: {
    method: 'GET',
    path: '/agent-bundle',
    summary: 'Where to load the packed agent, and its checksum',
    answer: agentBundleSchema,
  },
  streamEvents: {
    method: 'GET',
    path: '/events',
    summary: 'Server-sent events: what changed',
    answerType: 'text/event-stream',
    events: changeEventsSchema,
  },
  getWorkflowSchema: {
    method: 'GET',
    path: '/workflow.schema.json',
    summary: 'JSON Schema of the workflow file, for editors',
    answerType: 'application/json',
    open: true,
  },
  getOpenApi: { method: 'GET', path: '/openapi.json', summary: 'This description', answerType: 'application/json', open: true },
} as const satisfies Record<string, RestRoute>;

/** Every operation of the REST API: clients, the server's routes and the OpenAPI document come from here. */
export const restRoutes = {
  ...accessRoutes,
  ...signInRoutes,
  ...projectRoutes,
  ...variableRoutes,
  ...calendarRoutes,
  ...secretRoutes,
  ...auditRoutes,
  ...retentionRoutes,
  ...workflows,
  ...backfillRoutes,
  ...webhookRoutes,
  ...runs,
  ...runRoutes,
  ...controlRoutes,
  ...operation,
  ...computeRoutes,
  ...limitRoutes,
};
export type RestRouteName = keyof typeof restRoutes;
