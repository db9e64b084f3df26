import { createHash } from 'node:crypto';
import type { TaskSpec } from '@medley/contracts';
import {
  AppError,
  evaluateWaiting,
  type FieldError,
  localDate,
  type ParameterValues,
  type ReferenceContext,
  resolveParameters,
  type TaskRunState,
  upwardRanks,
} from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import type { LoadedWorkflow, WorkflowSpecs } from '../settlement/workflow-specs.js';

/** One run to create. */
export interface NewRun {
  projectId: string;
  workflowId: string;
  workflowVersion: number;
  trigger: 'manual' | 'schedule' | 'rerun';
  schedule: { id: string; fireAtMs: number; zone: string } | null;
  parameters: ParameterValues;
  createdBy: string | null;
  rerunOf?: string;
  /** Task runs of an earlier run whose success this one keeps, by task key. */
  keep?: ReadonlyMap<string, string>;
}

export interface CreatedRuns {
  created: { id: string; projectId: string }[];
  /** Runs that cannot be, with the reason; the others are created all the same. A (schedule, fire time) that has its run already is in neither list. */
  refused: { run: NewRun; error: AppError }[];
}

interface PreparedRun {
  id: string;
  run: NewRun;
  workflow: LoadedWorkflow;
  parameters: ParameterValues;
  tasks: PreparedTask[];
}

interface PreparedTask {
  spec: TaskSpec;
  id: string;
  state: TaskRunState;
  reason: string | null;
  keptFrom: string | null;
  rank: number;
  expectedSeconds: number | null;
}

/** Seconds a task counts with while nothing is known of it. */
const UNKNOWN_SECONDS = 10;

/**
 * Creates runs with all their task runs: roots ready, tasks that are kept succeeded, the others waiting. Any number of runs costs the same handful of
 * statements. The caller wakes the place pass after its commit.
 */
export async function createRuns(sql: Sql, specs: WorkflowSpecs, runs: readonly NewRun[]): Promise<CreatedRuns> {
  if (runs.length === 0) return { created: [], refused: [] };
  const pools = await readPools(sql);
  const estimates = await readEstimates(
    sql,
    runs.map((run) => run.workflowId),
  );
  const prepared: PreparedRun[] = [];
  const refused: CreatedRuns['refused'] = [];
  for (const run of runs) {
    const workflow = await specs.load(sql, run.workflowId, run.workflowVersion);
    try {
      prepared.push(prepare(run, workflow, pools, estimates.get(run.workflowId) ?? new Map()));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ run, error });
    }
  }
  const inserted = await insertRuns(sql, prepared);
  const kept = prepared.filter(({ id }) => inserted.has(id));
  await insertShapes(sql, kept);
  await insertTaskRuns(sql, kept, pools);
  return { created: kept.map(({ id, run }) => ({ id, projectId: run.projectId })), refused };
}

async function readPools(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; name: string }>('select id, name from pools');
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function readEstimates(sql: Sql, workflowIds: readonly string[]): Promise<Map<string, Map<string, number>>> {
  const rows = await sql.query<{ workflow_id: string; task_key: string; seconds: number }>(
    'select workflow_id, task_key, exp(mean_log_seconds) as seconds from runtime_estimates where workflow_id = any($1)',
    [[...new Set(workflowIds)]],
  );
  const estimates = new Map<string, Map<string, number>>();
  for (const { workflow_id, task_key, seconds } of rows) {
    const known = estimates.get(workflow_id) ?? new Map<string, number>();
    known.set(task_key, seconds);
    estimates.set(workflow_id, known);
  }
  return estimates;
}

function prepare(
  run: NewRun,
  workflow: LoadedWorkflow,
  pools: ReadonlyMap<string, string>,
  estimates: ReadonlyMap<string, number>,
): PreparedRun {
  const { spec, dag } = workflow;
  const id = uuidv7();
  requirePools(spec.tasks, pools);
  const parameters = parametersOf(run, workflow, id);
  const states = new Map<string, TaskRunState>(spec.tasks.map(({ key }) => [key, run.keep?.has(key) ? 'succeeded' : 'waiting']));
  const decisions = new Map(evaluateWaiting(dag, states).map((decision) => [decision.key, decision]));
  const ranks = upwardRanks(dag, (key) => estimates.get(key) ?? (workflow.task(key).kind === 'noop' ? 0 : UNKNOWN_SECONDS));
  const tasks = spec.tasks.map((task): PreparedTask => {
    const decision = decisions.get(task.key);
    return {
      spec: task,
      id: uuidv7(),
      state: decision?.next ?? states.get(task.key)!,
      reason: decision?.next === 'skipped' ? decision.reason : null,
      keptFrom: run.keep?.get(task.key) ?? null,
      rank: ranks.get(task.key)!,
      expectedSeconds: estimates.get(task.key) ?? null,
    };
  });
  return { id, run, workflow, parameters, tasks };
}

function requirePools(tasks: readonly TaskSpec[], pools: ReadonlyMap<string, string>): void {
  const missing = tasks.filter((task) => !pools.has(task.pool));
  if (missing.length === 0) return;
  const fields = missing.map(({ key, pool }): FieldError => ({ path: `tasks.${key}.pool`, message: `there is no pool named \`${pool}\`` }));
  throw new AppError('workflow-invalid', `There is no pool named \`${missing[0]!.pool}\`: create it, or name another one.`, fields);
}

function parametersOf(run: NewRun, { spec }: LoadedWorkflow, runId: string): ParameterValues {
  const context: ReferenceContext = {
    run: { id: runId, workflow: spec.workflow },
    schedule: run.schedule && {
      fireTime: new Date(run.schedule.fireAtMs).toISOString(),
      date: localDate(run.schedule.fireAtMs, run.schedule.zone),
    },
  };
  const resolved = resolveParameters(spec.parameters, run.parameters, context);
  if (resolved.ok) return resolved.values;
  throw new AppError('parameter-invalid', resolved.errors.map(({ path, message }) => `${path}: ${message}`).join('; '), resolved.errors);
}

async function insertRuns(sql: Sql, prepared: readonly PreparedRun[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, schedule_id, fire_at, parameters, rerun_of, created_by, task_count, open_tasks)
     select id, project_id, workflow_id, workflow_version, 'queued', trigger, schedule_id, to_timestamp(fire_at / 1000.0), parameters, rerun_of, created_by, task_count, open_tasks
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::uuid[], $7::float8[], $8::jsonb[], $9::uuid[], $10::uuid[], $11::int[], $12::int[])
       as r(id, project_id, workflow_id, workflow_version, trigger, schedule_id, fire_at, parameters, rerun_of, created_by, task_count, open_tasks)
     on conflict (schedule_id, fire_at) where schedule_id is not null do nothing returning id`,
    [
      prepared.map(({ id }) => id),
      prepared.map(({ run }) => run.projectId),
      prepared.map(({ run }) => run.workflowId),
      prepared.map(({ run }) => run.workflowVersion),
      prepared.map(({ run }) => run.trigger),
      prepared.map(({ run }) => run.schedule?.id ?? null),
      prepared.map(({ run }) => run.schedule?.fireAtMs ?? null),
      prepared.map(({ parameters }) => JSON.stringify(parameters)),
      prepared.map(({ run }) => run.rerunOf ?? null),
      prepared.map(({ run }) => run.createdBy),
      prepared.map(({ tasks }) => tasks.length),
      prepared.map(({ tasks }) => tasks.filter(isOpen).length),
    ],
  );
  return new Set(rows.map((row) => row.id));
}

function isOpen(task: PreparedTask): boolean {
  return task.state !== 'succeeded' && task.state !== 'skipped';
}

async function insertShapes(sql: Sql, prepared: readonly PreparedRun[]): Promise<void> {
  const shapes = new Map(
    prepared.flatMap(({ workflow }) => workflow.spec.tasks.map((task) => [shapeHashOf(task), requestOf(task)] as const)),
  );
  const sorted = [...shapes].sort(([left], [right]) => (left < right ? -1 : 1));
  await sql.query(
    'insert into request_shapes (hash, request) select * from unnest($1::text[], $2::jsonb[]) as s(hash, request) on conflict do nothing',
    [sorted.map(([hash]) => hash), sorted.map(([, request]) => JSON.stringify(request))],
  );
}

const runtimeOf: Record<TaskSpec['kind'], string | null> = { shell: 'shell', python: 'python3', node: 'node', http: null, noop: null };

function requestOf(task: TaskSpec) {
  const { cpuMillis, memoryMib, diskMib, gpuCount } = task.resources;
  return { resources: { cpuMillis, memoryMib, diskMib, gpuCount }, labels: task.labels, runtime: runtimeOf[task.kind] };
}

const hashes = new WeakMap<TaskSpec, string>();

function shapeHashOf(task: TaskSpec): string {
  let hash = hashes.get(task);
  if (!hash) {
    hash = createHash('sha256')
      .update(JSON.stringify(requestOf(task)))
      .digest('hex')
      .slice(0, 32);
    hashes.set(task, hash);
  }
  return hash;
}

async function insertTaskRuns(sql: Sql, prepared: readonly PreparedRun[], pools: ReadonlyMap<string, string>): Promise<void> {
  const tasks = prepared.flatMap(({ id, tasks }) => tasks.map((task) => ({ runId: id, ...task })));
  if (tasks.length === 0) return;
  await sql.query(
    `insert into task_runs (id, run_id, task_key, position, state, pool_id, shape_hash, priority, rank, expected_seconds, timeout_seconds, reason, kept_from, ready_at, finished_at)
     select id, run_id, task_key, position, state, pool_id, shape_hash, priority, rank, expected_seconds, timeout_seconds,
       case when reason is not null then jsonb_build_object('code', 'skipped', 'text', reason) end, kept_from,
       case when state = 'ready' then clock_timestamp() end, case when state in ('succeeded', 'skipped') then clock_timestamp() end
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::uuid[], $7::text[], $8::int[], $9::real[], $10::real[], $11::real[], $12::text[], $13::uuid[])
       as t(id, run_id, task_key, position, state, pool_id, shape_hash, priority, rank, expected_seconds, timeout_seconds, reason, kept_from)`,
    [
      tasks.map((task) => task.id),
      tasks.map((task) => task.runId),
      tasks.map(({ spec }) => spec.key),
      tasks.map(({ spec }) => spec.position),
      tasks.map((task) => task.state),
      tasks.map(({ spec }) => pools.get(spec.pool)!),
      tasks.map(({ spec }) => shapeHashOf(spec)),
      tasks.map(({ spec }) => spec.priority),
      tasks.map((task) => task.rank),
      tasks.map((task) => task.expectedSeconds),
      tasks.map(({ spec }) => spec.timeoutSeconds),
      tasks.map((task) => task.reason),
      tasks.map((task) => task.keptFrom),
    ],
  );
}
