import { isDeepStrictEqual } from 'node:util';
import type { RerunPreview } from '@medley/contracts';
import { AppError, fieldError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { type CreatedRun, createRun, parametersOf, type RunToCreate } from './create-runs.js';
import { finishRuns } from './finish-runs.js';
import { type EndedRunRow, type PlannedRerun, planRerun, type RerunWish, toRerun } from './plan-rerun.js';

export type { RerunWish } from './plan-rerun.js';

/** What a rerun would keep and run again. Throws what the rerun itself would throw, but for an empty one. */
export async function previewRerun(sql: Sql, specs: WorkflowSpecs, runId: string, wish: RerunWish): Promise<RerunPreview> {
  const { run, rows, kept, anew, unmet, keptApprovals, overtakenApprovals } = await planRerun(sql, specs, runId, wish);
  requireNoPart(run);
  const states = new Map(rows.map((row) => [row.task_key, row.state]));
  const told = (keys: string[]) => keys.map((key) => ({ key, state: states.get(key) ?? null }));
  return { runId, mode: wish.mode, kept: told(kept), anew: told(anew), unmet, keptApprovals, overtakenApprovals };
}

/**
 * Starts an ended run again as a new run of the same version, with its parameters or changed ones. What is kept points at the task run that did the work, with the end that
 * this had. Throws not-found, run-not-rerunnable (also where an approval would be kept for other parameters), run-has-no-work, validation-failed and parameter-invalid.
 */
export async function rerunRun(
  sql: Sql,
  specs: WorkflowSpecs,
  runId: string,
  wish: RerunWish,
  createdBy: string | null,
): Promise<CreatedRun> {
  const plan = await planRerun(sql, specs, runId, wish);
  const { run, anew, unmet } = plan;
  requireNoPart(run);
  if (anew.length === 0) throw new AppError('run-has-no-work', phrase('every-task-succeeded'));
  if (unmet.length > 0) throw unmetNeeds(unmet);
  refuseKeptApprovals(plan, runId, wish);
  const parameters = { ...run.parameters, ...wish.parameters };
  const created = await createRun(sql, specs, {
    ...copyOf(run),
    parameters,
    trigger: 'rerun',
    rerunOf: runId,
    createdBy,
    ...toRerun(plan),
  });
  // What was skipped may be skipped again at once, with nothing left to do.
  await finishRuns(sql, [created.id]);
  return created;
}

/** A run within another one would succeed without that one's knowing. */
function requireNoPart({ parent_run_id }: EndedRunRow): void {
  if (parent_run_id !== null) throw new AppError('run-not-rerunnable', phrase('run-is-part', { run: parent_run_id.slice(-8) }));
}

function unmetNeeds(unmet: PlannedRerun['unmet']): AppError {
  return new AppError('run-not-rerunnable', phrase('kept-needs-unmet', { tasks: unmet.slice(0, 3).map(({ key }) => key) }));
}

const named = (keys: readonly string[]) => keys.map((key) => phrase('in-code', { code: key }));

/** An approval was given for the values that the run had, and for what had run before it: whoever may run it again decides on nothing else with it. */
function refuseKeptApprovals(
  { run, workflow, keptApprovals, overtakenApprovals }: PlannedRerun,
  runId: string,
  { parameters = {} }: RerunWish,
): void {
  if (keptApprovals.length === 0) return;
  if (overtakenApprovals.length > 0) {
    const fault = phrase('approvals-overtaken', { approvals: named(overtakenApprovals) });
    throw new AppError('run-not-rerunnable', fault, [fieldError('tasks', fault)]);
  }
  const values = parametersOf({ ...copyOf(run), parameters: { ...run.parameters, ...parameters } }, workflow, runId);
  const changed = Object.keys(parameters).filter((name) => !isDeepStrictEqual(values[name], run.parameters[name]));
  if (changed.length === 0) return;
  const approvals = named(keptApprovals);
  const fault = phrase('approval-of-other-values', { approvals });
  const fields = changed.map((name) => fieldError(`parameters.${name}`, fault));
  throw new AppError('run-not-rerunnable', phrase('approvals-would-be-kept', { approvals }), fields);
}

/** The fire time goes with it: "the day of the run" stays the same day. */
function copyOf(run: EndedRunRow): Omit<RunToCreate, 'trigger' | 'createdBy' | 'parameters'> {
  const { schedule_id: id, fire_at: fireAt, zone } = run;
  return {
    projectId: run.project_id,
    workflowId: run.workflow_id,
    workflowVersion: run.workflow_version,
    parametersAreTemplates: run.never_began,
    pins: run.pins,
    schedule: id && fireAt && zone ? { id, fireAt, zone } : null,
  };
}
