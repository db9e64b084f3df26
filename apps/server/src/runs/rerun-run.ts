import type { RerunPreview } from '@medley/contracts';
import { AppError, isTerminalRunState, type RunState, type TaskRunState, tasksToRerun } from '@medley/core';
import type { Sql } from '@medley/database';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { type CreatedRun, createRun, type RunToCreate } from './create-runs.js';
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
}

interface PlannedRerun {
  run: EndedRunRow;
  rows: EndedTaskRow[];
  kept: string[];
  anew: string[];
}

async function planRerun(sql: Sql, specs: WorkflowSpecs, runId: string, mode: 'all' | 'failed'): Promise<PlannedRerun> {
  const run = await readEndedRun(sql, runId);
  const rows = await sql.query<EndedTaskRow>('select id, task_key, state, kept_from from task_runs where run_id = $1', [runId]);
  const { dag } = await specs.load(sql, run.workflow_id, run.workflow_version);
  return { run, rows, ...tasksToRerun(dag, new Map(rows.map((row) => [row.task_key, row.state])), mode) };
}

/** What a rerun would keep and run again. Throws what the rerun itself would throw, but for an empty one. */
export async function previewRerun(sql: Sql, specs: WorkflowSpecs, runId: string, mode: 'all' | 'failed'): Promise<RerunPreview> {
  const { rows, kept, anew } = await planRerun(sql, specs, runId, mode);
  const states = new Map(rows.map((row) => [row.task_key, row.state]));
  const told = (keys: string[]) => keys.map((key) => ({ key, state: states.get(key) ?? null }));
  return { runId, mode, kept: told(kept), anew: told(anew) };
}

/**
 * Starts an ended run again as a new run of the same version with the same parameters. `failed` keeps the outputs of what succeeded and is not behind
 * anything that runs anew; what is kept points at the task run that did the work.
 */
export async function rerunRun(
  sql: Sql,
  specs: WorkflowSpecs,
  runId: string,
  mode: 'all' | 'failed',
  createdBy: string,
): Promise<CreatedRun> {
  const { run, rows, kept, anew } = await planRerun(sql, specs, runId, mode);
  if (anew.length === 0) throw new AppError('run-has-no-work', 'Every task of the run succeeded; use the mode "all" to run them again.');
  const byKey = new Map(rows.map((row) => [row.task_key, row]));
  const keep = new Map(kept.map((key) => [key, byKey.get(key)!.kept_from ?? byKey.get(key)!.id]));
  const created = await createRun(sql, specs, { ...copyOf(run), trigger: 'rerun', rerunOf: runId, createdBy, keep });
  // What was skipped may be skipped again at once, with nothing left to do.
  await finishRuns(sql, [created.id]);
  return created;
}

async function readEndedRun(sql: Sql, runId: string): Promise<EndedRunRow> {
  const [run] = await sql.query<EndedRunRow>(
    `select r.project_id, r.workflow_id, r.workflow_version, r.state, r.parameters, r.schedule_id, r.fire_at, s.zone, r.reason is not null as never_began
     from runs r join projects p on p.id = r.project_id and p.removed_at is null left join schedules s on s.id = r.schedule_id where r.id = $1 for key share of p, r`,
    [runId],
  );
  if (!run) throw new AppError('not-found', 'There is no such run.');
  if (!isTerminalRunState(run.state))
    throw new AppError('run-not-rerunnable', `The run is ${run.state}; wait until it has ended, or cancel it.`);
  return run;
}

/** The fire time goes with it: "the day of the run" stays the same day. */
function copyOf(run: EndedRunRow): Omit<RunToCreate, 'trigger' | 'createdBy'> {
  const { schedule_id: id, fire_at: fireAt, zone } = run;
  return {
    projectId: run.project_id,
    workflowId: run.workflow_id,
    workflowVersion: run.workflow_version,
    parameters: run.parameters,
    parametersAreTemplates: run.never_began,
    schedule: id && fireAt && zone ? { id, fireAt, zone } : null,
  };
}
