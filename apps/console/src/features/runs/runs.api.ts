import type {
  MarkTaskRun,
  PlacementReplay,
  RunBulk,
  RunBulkAction,
  RunBulkPreview,
  RunTrigger,
  RunView,
  TaskRunView,
} from '@medley/contracts';
import { type ApiBody, callApi } from '../../api/api-client.js';
import type { RerunWish } from './rerun-wish.js';
import type { RunFilter } from './runs.queries.js';

export function cancelRun(id: string, finals: 'run' | 'cancel' = 'run'): Promise<RunView> {
  return callApi('cancelRun', { params: { id }, body: { finally: finals } });
}

export function pauseRun(id: string): Promise<RunView> {
  return callApi('pauseRun', { params: { id } });
}

export function resumeRun(id: string): Promise<RunView> {
  return callApi('resumeRun', { params: { id } });
}

/** Decides how a task ends. */
export function markTaskRun(id: string, body: MarkTaskRun): Promise<TaskRunView> {
  return callApi('markTaskRun', { params: { id }, body });
}

export function rerun(id: string, { mode, tasks, descendants }: RerunWish, parameters: Record<string, unknown>): Promise<RunView> {
  return callApi('rerun', { params: { id }, body: { mode, tasks: tasks && [...tasks], descendants, parameters } });
}

/** Lets the server decide again from what it stored, and compare. */
export function replayPlacement(attemptId: string): Promise<PlacementReplay> {
  return callApi('replayPlacement', { params: { id: attemptId } });
}

/** Runs by their ids, or all that a filter finds. */
export type BulkScope = { action: RunBulkAction; ids: string[] } | { action: RunBulkAction; filter: RunFilter };

export function previewRunBulk(scope: BulkScope): Promise<RunBulkPreview> {
  return callApi('previewRunBulk', { body: bodyOf(scope) });
}

export function startRunBulk(scope: BulkScope, expected: number): Promise<RunBulk> {
  return callApi('startRunBulk', { body: { ...bodyOf(scope), expected } });
}

export function stopRunBulk(id: string): Promise<RunBulk> {
  return callApi('stopRunBulk', { params: { id } });
}

function bodyOf(scope: BulkScope): ApiBody<'previewRunBulk'> {
  if ('ids' in scope) return scope;
  const { state, workflowId, projectId, scheduleId, backfillId, parentRunId, trigger, since, until, id } = scope.filter;
  const filter = {
    state: state?.length ? [...state] : undefined,
    workflowId,
    projectId,
    scheduleId,
    backfillId,
    parentRunId,
    trigger: trigger as RunTrigger | undefined,
    since,
    until,
    id,
  };
  return { action: scope.action, filter };
}
