import { isDeepStrictEqual } from 'node:util';
import type { Reason, RerunMode, RerunPreview } from '@medley/contracts';
import {
  AppError,
  fieldError,
  isTerminalRunState,
  nearestName,
  phrase,
  type RerunPlan,
  type RerunScope,
  type RunState,
  runStatePhrase,
  type TaskRunState,
  tasksToRerun,
} from '@medley/core';
import type { Sql } from '@medley/database';
import type { LoadedWorkflow, WorkflowSpecs } from '../settlement/workflow-specs.js';
import { type CreatedRun, createRun, parametersOf, type RunToCreate } from './create-runs.js';
import { finishRuns } from './finish-runs.js';

interface EndedRunRow {
  project_id: string;
  workflow_id: string;
  workflow_version: number;
  state: RunState;
  parameters: Record<string, unknown>;
  schedule_id: string | null;
  fire_at: Date | null;
  zone: string | null;
  /** Its schedule could not start it: it has no task runs, and its parameters are as the schedule wrote them. */
  never_began: boolean;
}

interface EndedTaskRow {
  id: string;
  task_key: string;
  state: TaskRunState;
  kept_from: string | null;
  reason: Reason | null;
}

/** A rerun as it is asked for. */
export interface RerunWish {
  mode: RerunMode;
  tasks?: readonly string[];
  descendants?: boolean;
  /** In place of the values of the ended run; those that are left out stay. */
  parameters?: Readonly<Record<string, unknown>>;
}

interface PlannedRerun extends RerunPlan {
  run: EndedRunRow;
  rows: EndedTaskRow[];
  workflow: LoadedWorkflow;
  keptApprovals: string[];
}

async function planRerun(sql: Sql, specs: WorkflowSpecs, runId: string, wish: RerunWish): Promise<PlannedRerun> {
  const run = await readEndedRun(sql, runId);
  const rows = await sql.query<EndedTaskRow>(
    'select id, task_key, state, kept_from, reason from task_runs where run_id = $1 and item = -1',
    [runId],
  );
  const workflow = await specs.load(sql, run.workflow_id, run.workflow_version);
  const { dag, task } = workflow;
  const scope = scopeOf(wish, [...dag.tasks.keys()]);
  const plan = tasksToRerun(dag, new Map(rows.map((row) => [row.task_key, row.state])), scope);
  return { run, rows, workflow, ...plan, keptApprovals: plan.kept.filter((key) => task(key).kind === 'approval') };
}

/** Throws validation-failed for tasks that there are not. */
function scopeOf({ mode, tasks = [], descendants = true }: RerunWish, known: readonly string[]): RerunScope {
  if (mode !== 'from') return { mode };
  const unknown = tasks.filter((key) => !known.includes(key));
  if (unknown.length === 0) return { mode, tasks, descendants };
  const named = unknown.slice(0, 3).map((key) => {
    const nearest = nearestName(key, known);
    return nearest === null ? phrase('in-code', { code: key }) : phrase('task-perhaps', { task: key, nearest });
  });
  const fault = phrase('no-such-task', { tasks: named });
  throw new AppError('validation-failed', phrase('workflow-has-no-task', { tasks: named }), [fieldError('tasks', fault)]);
}

/** What a rerun would keep and run again. Throws what the rerun itself would throw, but for an empty one. */
export async function previewRerun(sql: Sql, specs: WorkflowSpecs, runId: string, wish: RerunWish): Promise<RerunPreview> {
  const { rows, kept, anew, unmet, keptApprovals } = await planRerun(sql, specs, runId, wish);
  const states = new Map(rows.map((row) => [row.task_key, row.state]));
  const told = (keys: string[]) => keys.map((key) => ({ key, state: states.get(key) ?? null }));
  return { runId, mode: wish.mode, kept: told(kept), anew: told(anew), unmet, keptApprovals };
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
  const { run, rows, kept, anew, unmet } = plan;
  if (anew.length === 0) throw new AppError('run-has-no-work', phrase('every-task-succeeded'));
  if (unmet.length > 0) throw unmetNeeds(unmet);
  refuseKeptApprovals(plan, runId, wish);
  const byKey = new Map(rows.map((row) => [row.task_key, row]));
  const keep = new Map(
    kept.map((key) => {
      const { id, kept_from, state, reason } = byKey.get(key)!;
      return [key, { id: kept_from ?? id, state, reason }];
    }),
  );
  const parameters = { ...run.parameters, ...wish.parameters };
  const created = await createRun(sql, specs, { ...copyOf(run), parameters, trigger: 'rerun', rerunOf: runId, createdBy, keep });
  // What was skipped may be skipped again at once, with nothing left to do.
  await finishRuns(sql, [created.id]);
  return created;
}

function unmetNeeds(unmet: PlannedRerun['unmet']): AppError {
  return new AppError('run-not-rerunnable', phrase('kept-needs-unmet', { tasks: unmet.slice(0, 3).map(({ key }) => key) }));
}

/** An approval was given for the values that the run had: whoever may run it again decides on no others with it. */
function refuseKeptApprovals({ run, workflow, keptApprovals }: PlannedRerun, runId: string, { parameters = {} }: RerunWish): void {
  if (keptApprovals.length === 0) return;
  const values = parametersOf({ ...copyOf(run), parameters: { ...run.parameters, ...parameters } }, workflow, runId);
  const changed = Object.keys(parameters).filter((name) => !isDeepStrictEqual(values[name], run.parameters[name]));
  if (changed.length === 0) return;
  const approvals = keptApprovals.map((key) => phrase('in-code', { code: key }));
  const fault = phrase('approval-of-other-values', { approvals });
  const fields = changed.map((name) => fieldError(`parameters.${name}`, fault));
  throw new AppError('run-not-rerunnable', phrase('approvals-would-be-kept', { approvals }), fields);
}

async function readEndedRun(sql: Sql, runId: string): Promise<EndedRunRow> {
  const [run] = await sql.query<EndedRunRow>(
    `select r.project_id, r.workflow_id, r.workflow_version, r.state, r.parameters, r.schedule_id, r.fire_at, s.zone, r.reason is not null as never_began
     from runs r join projects p on p.id = r.project_id and p.removed_at is null left join schedules s on s.id = r.schedule_id where r.id = $1 for key share of p, r`,
    [runId],
  );
  if (!run) throw new AppError('not-found', phrase('no-such-run'));
  if (!isTerminalRunState(run.state))
    throw new AppError('run-not-rerunnable', phrase('run-not-ended', { state: runStatePhrase(run.state) }));
  return run;
}

/** The fire time goes with it: "the day of the run" stays the same day. */
function copyOf(run: EndedRunRow): Omit<RunToCreate, 'trigger' | 'createdBy' | 'parameters'> {
  const { schedule_id: id, fire_at: fireAt, zone } = run;
  return {
    projectId: run.project_id,
    workflowId: run.workflow_id,
    workflowVersion: run.workflow_version,
    parametersAreTemplates: run.never_began,
    schedule: id && fireAt && zone ? { id, fireAt, zone } : null,
  };
}
