import type { RunTrigger, WorkflowSpec } from '@medley/contracts';
import {
  AppError,
  type ExpressionContext,
  fieldError,
  isTerminalTaskRunState,
  type ParameterValues,
  phrase,
  renderText,
  resolveParameters,
  scheduleValues,
} from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import { type Admission, admitNewRuns, type NewKeyedRun, RUN_QUEUED } from '../concurrency/admit-new-runs.js';
import { resolveLimits } from '../limits/resolve-limits.js';
import { POOL_REMOVAL_LOCK } from '../pools/remove-pool.js';
import type { LoadedWorkflow, WorkflowSpecs } from '../settlement/workflow-specs.js';
import { type Pins, readPins } from '../sub-workflows/workflow-calls.js';
import { cancelRun } from './cancel-run.js';
import { storeRequestShapes } from './request-shape.js';
import { insertTaskRuns, type KeptTaskRun, type NewTaskRun, planTaskRuns, type TaskRunFacts } from './task-run-rows.js';

export interface RunToCreate {
  projectId: string;
  workflowId: string;
  workflowVersion: number;
  trigger: RunTrigger;
  /** The schedule that started it, or the run it repeats. */
  schedule?: { id: string; fireAt: Date; zone: string } | null;
  backfillId?: string;
  /** Taken literally, unless they are templates. */
  parameters: Readonly<Record<string, unknown>>;
  /** The values are a schedule's as they were written, also for a run that repeats a fire which failed before they were resolved. */
  parametersAreTemplates?: boolean;
  /** Values that take the place of parameters and are taken literally even where those are templates: what a stranger sent. */
  literals?: Readonly<Record<string, unknown>>;
  /** The user; nobody for a schedule. */
  createdBy?: string | null;
  rerunOf?: string;
  /** The task run that it is a part of; `priority` is added to that of its own tasks. */
  parent?: { runId: string; taskRunId: string; priority: number; isFinal: boolean };
  /** What `latest` stands for in sub-workflows; read anew when left out. */
  pins?: Pins | null;
  /** By task key: ended runs of sub-workflows that go on from what failed in them. */
  continues?: ReadonlyMap<string, string>;
  /** Task runs of an earlier run whose end this one keeps, by task key. */
  keep?: ReadonlyMap<string, KeptTaskRun>;
}

export interface CreatedRun {
  id: string;
  projectId: string;
  scheduleId: string | null;
  parentTaskRunId: string | null;
}

export interface CreatedRuns {
  created: CreatedRun[];
  /** Runs that cannot be, with the reason. A (schedule, fire time) or (backfill, fire time) that has its run already is in neither list. */
  refused: { run: RunToCreate; error: AppError }[];
}

interface PreparedRun {
  id: string;
  run: RunToCreate;
  parameters: ParameterValues;
  pins: Pins | null;
  keyed: NewKeyedRun | null;
  taskRuns: NewTaskRun[];
}

const MAX_KEY_LENGTH = 500;

/**
 * Creates runs with all their task runs; any number of them costs the same handful of statements. What is wrong with one does not keep the others from
 * being created. The caller wakes the place pass after its commit.
 */
export async function createRuns(sql: Sql, specs: WorkflowSpecs, runs: readonly RunToCreate[]): Promise<CreatedRuns> {
  if (runs.length === 0) return { created: [], refused: [] };
  const poolIds = await readPoolIds(sql);
  const learned = await readLearnedSeconds(
    sql,
    runs.map((run) => run.workflowId),
  );
  const workflows = await Promise.all(runs.map((run) => specs.load(sql, run.workflowId, run.workflowVersion)));
  const limits = await resolveLimits(
    sql,
    runs.map(({ projectId }, index) => ({ projectId, tasks: workflows[index]!.spec.tasks })),
  );
  const pins = await pinsOf(sql, runs, workflows);
  const prepared: PreparedRun[] = [];
  const refused: CreatedRuns['refused'] = [];
  for (const [index, run] of runs.entries()) {
    const seconds = learned.get(run.workflowId) ?? new Map<string, number>();
    try {
      prepared.push(prepare(run, workflows[index]!, requirePins(pins[index]!), { poolIds, seconds, limits }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ run, error });
    }
  }
  const inserted = await insertRuns(sql, prepared);
  const created = prepared.filter(({ id }) => inserted.has(id));
  const admissions = await admitNewRuns(sql, created.flatMap(keyedRunOf));
  const taskRuns = created.flatMap((each) => admittedTaskRuns(each, admissions.get(each.id)));
  await storeRequestShapes(
    sql,
    taskRuns.flatMap(({ shape }) => shape ?? []),
  );
  await insertTaskRuns(sql, taskRuns);
  await endSkipped(sql, specs, admissions);
  return { created: created.map(createdOf), refused };
}

function createdOf({ id, run }: PreparedRun): CreatedRun {
  return { id, projectId: run.projectId, scheduleId: run.schedule?.id ?? null, parentTaskRunId: run.parent?.taskRunId ?? null };
}

/** Of a run within another it is what holds there; only of the outermost one is it read, and only where tasks run workflows at all. */
async function pinsOf(sql: Sql, runs: readonly RunToCreate[], workflows: readonly LoadedWorkflow[]): Promise<(Pins | AppError | null)[]> {
  const needed = runs.map(({ pins }, index) => pins == null && workflows[index]!.spec.tasks.some((task) => task.subWorkflow));
  const read = await readPins(
    sql,
    runs.filter((_, index) => needed[index]).map(({ workflowId: id, workflowVersion: version }) => ({ id, version })),
  );
  return runs.map(({ pins, workflowId, workflowVersion }, index) =>
    needed[index] ? (read.get(`${workflowId} ${workflowVersion}`) ?? null) : (pins ?? null),
  );
}

function requirePins(pins: Pins | AppError | null): Pins | null {
  if (pins instanceof AppError) throw pins;
  return pins;
}

/** One run; throws what is wrong with it. */
export async function createRun(sql: Sql, specs: WorkflowSpecs, run: RunToCreate): Promise<CreatedRun> {
  const { created, refused } = await createRuns(sql, specs, [run]);
  if (refused[0]) throw refused[0].error;
  return created[0]!;
}

/** What is read here is not removed before the transaction ends. */
export async function readPoolIds(sql: Sql): Promise<Map<string, string>> {
  const locked = sql.query('select pg_advisory_xact_lock_shared($1)', [POOL_REMOVAL_LOCK]);
  const [, rows] = await Promise.all([
    locked,
    sql.query<{ id: string; name: string }>('select id, name from pools where removed_at is null'),
  ]);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** By workflow, then by task key: seconds at speed 1. */
export async function readLearnedSeconds(sql: Sql, workflowIds: readonly string[]): Promise<Map<string, Map<string, number>>> {
  const rows = await sql.query<{ workflow_id: string; task_key: string; seconds: number }>(
    'select workflow_id, task_key, exp(mean_log_seconds) as seconds from runtime_estimates where workflow_id = any($1)',
    [[...new Set(workflowIds)]],
  );
  const learned = new Map<string, Map<string, number>>();
  for (const { workflow_id, task_key, seconds } of rows) {
    const known = learned.get(workflow_id) ?? new Map<string, number>();
    known.set(task_key, seconds);
    learned.set(workflow_id, known);
  }
  return learned;
}

function prepare(
  run: RunToCreate,
  workflow: LoadedWorkflow,
  pins: Pins | null,
  facts: Pick<TaskRunFacts, 'poolIds' | 'seconds' | 'limits'>,
): PreparedRun {
  const id = uuidv7();
  requirePools(workflow, facts.poolIds);
  const parameters = parametersOf(run, workflow, id);
  const keyed = keyOf(run, workflow, id, parameters);
  return {
    id,
    run,
    parameters,
    pins,
    keyed,
    taskRuns: planTaskRuns(id, workflow, {
      ...facts,
      projectId: run.projectId,
      keep: run.keep ?? new Map(),
      continues: run.continues ?? new Map(),
      priority: run.parent?.priority ?? 0,
    }),
  };
}

/** Throws workflow-invalid when a pool that a task names is not there. */
export function requirePools({ spec }: LoadedWorkflow, poolIds: ReadonlyMap<string, string>): void {
  const missing = spec.tasks.filter((task) => !poolIds.has(task.pool));
  if (missing.length === 0) return;
  const fields = missing.map(({ key, pool }) => fieldError(`tasks.${key}.pool`, phrase('pool-unknown', { pool, hint: '' })));
  throw new AppError('workflow-invalid', phrase('pool-of-task-missing', { pool: missing[0]!.pool }), fields);
}

/** What the run's parameters are. Throws parameter-invalid with all that is wrong. */
export function parametersOf(
  {
    schedule,
    parameters,
    parametersAreTemplates,
    literals = {},
  }: Pick<RunToCreate, 'schedule' | 'parameters' | 'parametersAreTemplates' | 'literals'>,
  { spec }: LoadedWorkflow,
  runId: string,
): ParameterValues {
  const context = contextOf({ schedule }, spec, runId);
  const isLiteral = ([name]: [string, unknown]) => Object.hasOwn(literals, name);
  const [declared, given] = [Object.entries(spec.parameters), Object.entries(parameters)];
  const resolved = [
    resolveParameters(
      Object.fromEntries(declared.filter((each) => !isLiteral(each))),
      Object.fromEntries(given.filter((each) => !isLiteral(each))),
      context,
      parametersAreTemplates ? 'templates' : 'values',
    ),
    resolveParameters(Object.fromEntries(declared.filter(isLiteral)), literals, context, 'values'),
  ];
  const errors = resolved.flatMap((each) => (each.ok ? [] : each.errors));
  if (errors.length === 0) return Object.assign({}, ...resolved.map((each) => (each.ok ? each.values : {})));
  throw new AppError('parameter-invalid', errors.map(({ message }) => message).join('; '), errors);
}

function contextOf({ schedule }: Pick<RunToCreate, 'schedule'>, spec: WorkflowSpec, runId: string): ExpressionContext {
  return {
    run: { id: runId, workflow: spec.workflow },
    schedule: schedule ? scheduleValues(schedule.fireAt, schedule.zone) : null,
  };
}

const insertStatement = `
insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, schedule_id, fire_at, parameters, rerun_of, created_by, task_count, open_tasks, backfill_id, final_tasks, parent_run_id, parent_task_run_id, pins, of_final_task)
select id, project_id, workflow_id, workflow_version, 'queued', trigger, schedule_id, fire_at, parameters, rerun_of, created_by, task_count, open_tasks, backfill_id, final_tasks, parent_run_id, parent_task_run_id, pins, of_final_task
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::uuid[], $7::timestamptz[], $8::jsonb[], $9::uuid[], $10::uuid[], $11::int[], $12::int[], $13::uuid[], $14::int[], $15::uuid[], $16::uuid[], $17::jsonb[], $18::bool[])
  as r(id, project_id, workflow_id, workflow_version, trigger, schedule_id, fire_at, parameters, rerun_of, created_by, task_count, open_tasks, backfill_id, final_tasks, parent_run_id, parent_task_run_id, pins, of_final_task)
on conflict do nothing returning id`;

async function insertRuns(sql: Sql, prepared: readonly PreparedRun[]): Promise<Set<string>> {
  const column = <Value>(value: (each: PreparedRun) => Value) => prepared.map(value);
  const rows = await sql.query<{ id: string }>(insertStatement, [
    column(({ id }) => id),
    column(({ run }) => run.projectId),
    column(({ run }) => run.workflowId),
    column(({ run }) => run.workflowVersion),
    column(({ run }) => run.trigger),
    column(({ run }) => run.schedule?.id ?? null),
    column(({ run }) => run.schedule?.fireAt ?? null),
    column(({ parameters }) => JSON.stringify(parameters)),
    column(({ run }) => run.rerunOf ?? null),
    column(({ run }) => run.createdBy ?? null),
    column(({ taskRuns }) => taskRuns.length),
    column(({ taskRuns }) => taskRuns.filter(isOpen).length),
    column(({ run }) => run.backfillId ?? null),
    column(({ taskRuns }) => waitingFinals(taskRuns)),
    column(({ run }) => run.parent?.runId ?? null),
    column(({ run }) => run.parent?.taskRunId ?? null),
    column(({ pins }) => (pins === null ? null : JSON.stringify(pins))),
    column(({ run }) => run.parent?.isFinal ?? false),
  ]);
  return new Set(rows.map((row) => row.id));
}

/** The key as text, rendered once: it stays what it is for the life of the run. Throws what is wrong with it. */
function keyOf(run: RunToCreate, { spec }: LoadedWorkflow, runId: string, parameters: ParameterValues): NewKeyedRun | null {
  if (spec.concurrency === undefined) return null;
  const { key, ...rule } = spec.concurrency;
  const rendered = renderText(key, { ...contextOf(run, spec, runId), parameters });
  if (rendered.length > MAX_KEY_LENGTH)
    throw new AppError('parameter-invalid', phrase('run-key-too-long', { count: rendered.length, limit: MAX_KEY_LENGTH }));
  return { ...rule, runId, workflowId: run.workflowId, key: rendered };
}

function keyedRunOf({ keyed }: PreparedRun): NewKeyedRun[] {
  return keyed === null ? [] : [keyed];
}

/** Of a run that waits, nothing is ready before it is admitted; a skipped one is cancelled once it is there. */
function admittedTaskRuns({ taskRuns, keyed }: PreparedRun, admission: Admission | undefined): NewTaskRun[] {
  if (admission === undefined || admission === 'start') return taskRuns;
  const { key, limit } = keyed!;
  const code = admission === 'wait' ? RUN_QUEUED : 'run-skipped';
  const reason = JSON.stringify({
    code,
    text: `its run has the key "${key}", of which ${limit} may be under way at a time`,
    values: { key, limit },
  });
  return taskRuns.map((row) => (row.state === 'ready' ? { ...row, state: 'waiting', reason } : row));
}

async function endSkipped(sql: Sql, specs: WorkflowSpecs, admissions: ReadonlyMap<string, Admission>): Promise<void> {
  for (const [id, admission] of admissions) if (admission === 'skip') await cancelRun(sql, specs, id, true);
}

function isOpen({ state }: NewTaskRun): boolean {
  return !isTerminalTaskRunState(state);
}

/** Final tasks that wait for others; they were decided already where nothing else is left to run. */
function waitingFinals(taskRuns: readonly NewTaskRun[]): number {
  const finals = taskRuns.filter(({ task }) => task.isFinal);
  return taskRuns.some((each) => !each.task.isFinal && isOpen(each)) ? finals.length : 0;
}
