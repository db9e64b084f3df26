import type { Reason, RerunMode } from '@medley/contracts';
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
  tasksBehind,
  tasksToRerun,
} from '@medley/core';
import type { Sql } from '@medley/database';
import type { LoadedWorkflow, WorkflowSpecs } from '../settlement/workflow-specs.js';
import { tasksWithApprovalBelow } from '../sub-workflows/approvals-below.js';
import type { Pins } from '../sub-workflows/workflow-calls.js';
import type { KeptTaskRun } from './task-run-rows.js';

export interface EndedRunRow {
  project_id: string;
  workflow_id: string;
  workflow_version: number;
  state: RunState;
  parameters: Record<string, unknown>;
  schedule_id: string | null;
  fire_at: Date | null;
  zone: string | null;
  parent_run_id: string | null;
  pins: Pins | null;
  /** Its schedule could not start it: it has no task runs, and its parameters are as the schedule wrote them. */
  never_began: boolean;
}

interface EndedTaskRow {
  id: string;
  task_key: string;
  state: TaskRunState;
  kept_from: string | null;
  reason: Reason | null;
  child_run_id: string | null;
}

/** A rerun as it is asked for. */
export interface RerunWish {
  mode: RerunMode;
  tasks?: readonly string[];
  descendants?: boolean;
  /** In place of the values of the ended run; those that are left out stay. */
  parameters?: Readonly<Record<string, unknown>>;
}

export interface PlannedRerun extends RerunPlan {
  mode: RerunMode;
  workflow: LoadedWorkflow;
  /** Approvals among what is kept, and tasks that run a workflow with one. */
  keptApprovals: string[];
  /** Of these, those behind a task that runs again: what they were given for would not be what it was. */
  overtakenApprovals: string[];
  run: EndedRunRow;
  rows: EndedTaskRow[];
}

/** Which tasks of an ended run are run again. Throws not-found, run-not-rerunnable and validation-failed. */
export async function planRerun(sql: Sql, specs: WorkflowSpecs, runId: string, wish: RerunWish): Promise<PlannedRerun> {
  const run = await readEndedRun(sql, runId);
  const rows = await sql.query<EndedTaskRow>(
    'select id, task_key, state, kept_from, reason, child_run_id from task_runs where run_id = $1 and item = -1',
    [runId],
  );
  const workflow = await specs.load(sql, run.workflow_id, run.workflow_version);
  const { dag, task } = workflow;
  const scope = scopeOf(wish, [...dag.tasks.keys()]);
  const plan = tasksToRerun(dag, new Map(rows.map((row) => [row.task_key, row.state])), scope);
  const deciding = await tasksWithApprovalBelow(sql, run.project_id, run.pins, plan.kept.map(task));
  const keptApprovals = plan.kept.filter((key) => task(key).kind === 'approval' || deciding.has(key));
  const behind = tasksBehind(dag, plan.anew);
  const overtakenApprovals = keptApprovals.filter((key) => behind.has(key));
  return { run, rows, workflow, mode: wish.mode, ...plan, keptApprovals, overtakenApprovals };
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

/**
 * What a new run takes over: the ends of what is kept, each from the task run that did the work, and the runs of sub-workflows that go on from what failed in them. Those of a mapped task, of tasks
 * that were chosen one by one, and of tasks behind others that run again, begin anew.
 */
export function toRerun({ mode, rows, workflow, kept, anew }: PlannedRerun): {
  keep: Map<string, KeptTaskRun>;
  continues: Map<string, string>;
} {
  const byKey = new Map(rows.map((row) => [row.task_key, row]));
  const keep = kept.map((key): [string, KeptTaskRun] => {
    const { id, kept_from, state, reason, child_run_id: childRunId } = byKey.get(key)!;
    return [key, { id: kept_from ?? id, state, reason, childRunId }];
  });
  const behind = tasksBehind(workflow.dag, anew);
  const goOn = mode === 'failed' ? anew.filter((key) => !behind.has(key)) : [];
  const continues = goOn.flatMap((key): [string, string][] => {
    const row = byKey.get(key);
    return row?.child_run_id && row.state !== 'succeeded' ? [[key, row.child_run_id]] : [];
  });
  return { keep: new Map(keep), continues: new Map(continues) };
}

async function readEndedRun(sql: Sql, runId: string): Promise<EndedRunRow> {
  const [run] = await sql.query<EndedRunRow>(
    `select r.project_id, r.workflow_id, r.workflow_version, r.state, r.parameters, r.schedule_id, r.fire_at, s.zone, r.parent_run_id, r.pins, r.reason is not null as never_began
     from runs r join projects p on p.id = r.project_id and p.removed_at is null left join schedules s on s.id = r.schedule_id where r.id = $1 for key share of p, r`,
    [runId],
  );
  if (!run) throw new AppError('not-found', phrase('no-such-run'));
  if (!isTerminalRunState(run.state))
    throw new AppError('run-not-rerunnable', phrase('run-not-ended', { state: runStatePhrase(run.state) }));
  return run;
}
