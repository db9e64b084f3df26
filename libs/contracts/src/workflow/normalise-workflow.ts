import type { Needs, ParameterDeclarations, Resources, RetryPolicy } from '@medley/core';
import { parseCpuMillis, parseDataSizeMib, parseDuration } from '../resources/index.js';
import { normaliseSchedule } from './normalise-schedule.js';
import type { LimitsDefinition, NeedsDefinition, RetryDefinition, TaskDefinition, TaskKind } from './schema/task.schema.js';
import type { WorkflowDefinition } from './schema/workflow.schema.js';
import {
  defaultCase,
  type FilesSpec,
  type HttpSpec,
  type LimitUse,
  type LoopSpec,
  type MapSpec,
  type SubWorkflowSpec,
  type TaskSpec,
  type WaitForSpec,
  type WorkflowSpec,
} from './spec.js';

export const defaultPool = 'default';
const defaultRetry: RetryPolicy = { attempts: 1, delaySeconds: 10, backoff: 'fixed', maxDelaySeconds: 3600 };
const successStatuses = [200, 201, 202, 203, 204, 205, 206];

/** What a task takes when it asks for nothing: one core, less where the node only waits. */
const defaultCpuMillis: Record<TaskKind, number> = {
  shell: 1000,
  python: 1000,
  node: 1000,
  http: 100,
  noop: 0,
  approval: 0,
  'wait-for': 0,
  switch: 0,
  workflow: 0,
};
/** How long a wait rests between two looks. */
const defaultEverySeconds = 30;

/** Resolves a valid definition for execution: units, defaults and short forms. */
export function normaliseWorkflow(definition: WorkflowDefinition): WorkflowSpec {
  return {
    project: definition.project,
    workflow: definition.workflow,
    description: definition.description ?? '',
    parameters: (definition.parameters ?? {}) as ParameterDeclarations,
    ...concurrencyOf(definition.concurrency),
    schedules: Object.entries(definition.schedules ?? {}).map(([name, schedule]) => normaliseSchedule(name, schedule)),
    tasks: normaliseTasks(definition),
  };
}

/** Those of `finally` come last. */
export function normaliseTasks({ tasks, finally: finals = {}, defaults = {} }: WorkflowDefinition): TaskSpec[] {
  const count = Object.keys(tasks).length;
  const normal = Object.entries(tasks).map(([key, task], index) => normaliseTask(key, index, task, defaults));
  const final = Object.entries(finals).map(([key, task], index) => ({
    ...normaliseTask(key, count + index, task, defaults),
    isFinal: true,
  }));
  const branches = new Map([...branchesOf(tasks), ...branchesOf(finals)]);
  return [...normal, ...final].map((task) => withBranch(task, branches.get(task.key)));
}

/** Without a key all runs of the workflow count together. */
function concurrencyOf(concurrency: WorkflowDefinition['concurrency']): Pick<WorkflowSpec, 'concurrency'> {
  if (concurrency === undefined) return {};
  const { key = '', limit = 1, onConflict = 'queue' } = concurrency;
  return { concurrency: { key, limit, onConflict } };
}

/** Tasks that stand in a case, with their switch. */
export function branchesOf(tasks: Readonly<Record<string, TaskDefinition>>): Map<string, NonNullable<TaskSpec['branch']>> {
  const branches = new Map<string, NonNullable<TaskSpec['branch']>>();
  for (const [of, { cases = {}, default: otherwise = [] }] of Object.entries(tasks)) {
    for (const [name, keys] of [...Object.entries(cases), [defaultCase, otherwise] as const]) {
      for (const key of keys) branches.set(key, { of, cases: [...(branches.get(key)?.cases ?? []), name] });
    }
  }
  return branches;
}

/** A task in a case needs its switch, whether or not it says so. */
function withBranch(task: TaskSpec, branch: TaskSpec['branch']): TaskSpec {
  if (branch === undefined) return task;
  return { ...task, branch, needs: needsWithBranch(task.needs, branch.of) };
}

export function needsWithBranch(needs: Needs, of: string): Needs {
  return { mode: 'all', conditions: { ...needs.conditions, [of]: 'succeeded' } };
}

function normaliseMap({ over, as, parallel, onFailure }: NonNullable<TaskDefinition['map']>): MapSpec {
  return { over, as: as ?? 'item', parallel: parallel ?? null, onFailure: onFailure ?? 'finish' };
}

function normaliseLoop({ until, max, delay, onMax }: NonNullable<TaskDefinition['loop']>): LoopSpec {
  return { until, max, delaySeconds: delay === undefined ? 0 : (parseDuration(delay) ?? 0), onMax: onMax ?? 'fail' };
}

function normaliseFiles({ keep = [], fetch = [] }: NonNullable<TaskDefinition['files']>): FilesSpec {
  return { keep: [...keep], fetch: fetch.map(({ from, patterns = ['**'], to = '' }) => ({ from, patterns: [...patterns], to })) };
}

function normaliseTask(
  key: string,
  position: number,
  task: TaskDefinition,
  defaults: NonNullable<WorkflowDefinition['defaults']>,
): TaskSpec {
  const kind = kindOf(task);
  const timeout = task.timeout ?? defaults.timeout;
  return {
    key,
    position,
    kind,
    needs: normaliseNeeds(task.needs),
    script: task.run ?? task.python ?? task.node ?? null,
    http: kind === 'http' ? normaliseHttp(task) : null,
    env: Object.fromEntries(Object.entries(task.env ?? {}).map(([name, value]) => [name, String(value)])),
    ...(task.outputs === undefined ? {} : { outputs: { ...task.outputs } }),
    resources: normaliseResources(kind, task.resources),
    labels: task.labels ?? null,
    // Each attempt of a sub-workflow is a whole run: it is tried again only where its own task says so.
    retry: kind === 'workflow' ? normaliseRetry(task.retry) : normaliseRetry(defaults.retry, task.retry),
    timeoutSeconds: timeout === undefined ? null : parseDuration(timeout),
    ...(task.deadline === undefined ? {} : { deadlineSeconds: parseDuration(task.deadline), onDeadline: task.onDeadline ?? 'fail' }),
    ...(kind === 'wait-for' ? { waitFor: normaliseWait(task) } : {}),
    ...(kind === 'workflow' ? { subWorkflow: normaliseSubWorkflow(task) } : {}),
    ...(task.by === undefined ? {} : { approval: { by: [...task.by] } }),
    priority: task.priority ?? 0,
    pool: task.pool ?? defaults.pool ?? defaultPool,
    onLeaseLost: task.onLeaseLost ?? defaults.onLeaseLost ?? 'finish',
    ...(kind === 'workflow' ? {} : limitsOf(task, defaults.limits)),
    ...(task.when === undefined ? {} : { when: task.when }),
    ...(task.map === undefined ? {} : { map: normaliseMap(task.map) }),
    ...(task.loop === undefined ? {} : { loop: normaliseLoop(task.loop) }),
    ...(task.files === undefined ? {} : { files: normaliseFiles(task.files) }),
    ...(kind === 'switch' ? { switch: { on: task.on ?? '', cases: Object.keys(task.cases ?? {}) } } : {}),
  };
}

/** Those of all tasks and its own, where it says how many; nothing at all when there are none, so that specifications stay as they were. */
function limitsOf({ limits, mutex }: TaskDefinition, common: LimitsDefinition | undefined): Pick<TaskSpec, 'limits'> {
  const slots = { ...slotsByName(common), ...slotsByName(limits) };
  const uses = Object.entries(slots).map(([name, count]): LimitUse => ({ kind: 'limit', name, slots: count }));
  if (mutex !== undefined) uses.push({ kind: 'mutex', name: mutex, slots: 1 });
  const taken = uses.filter((use) => use.slots > 0);
  return taken.length === 0 ? {} : { limits: taken };
}

function slotsByName(limits: LimitsDefinition | undefined): Record<string, number> {
  return Array.isArray(limits) ? Object.fromEntries(limits.map((name) => [name, 1])) : (limits ?? {});
}

/** The kind a task has or implies by its script key; a valid one always has one. */
export function kindOf(task: TaskDefinition): TaskKind {
  if (task.kind !== undefined) return task.kind;
  if (task.python !== undefined) return 'python';
  return task.node !== undefined ? 'node' : 'shell';
}

/** The short forms of `needs` as mode and conditions. */
export function normaliseNeeds(needs: NeedsDefinition | undefined): Needs {
  if (needs === undefined) return { mode: 'all', conditions: {} };
  if (Array.isArray(needs)) return { mode: 'all', conditions: allSucceeded(needs) };
  const any = 'any' in needs ? needs.any : undefined;
  if (typeof any !== 'object') return { mode: 'all', conditions: needs as Needs['conditions'] };
  return { mode: 'any', conditions: Array.isArray(any) ? allSucceeded(any) : any };
}

function allSucceeded(keys: readonly string[]): Needs['conditions'] {
  return Object.fromEntries(keys.map((key) => [key, 'succeeded' as const]));
}

function normaliseWait({ until, for: duration, http, file, every }: TaskDefinition): WaitForSpec {
  const everySeconds = (every === undefined ? null : parseDuration(every)) ?? defaultEverySeconds;
  if (file !== undefined) return { kind: 'file', path: file.path, node: file.node ?? null, everySeconds };
  if (http === undefined)
    return { kind: 'time', until: until ?? null, forSeconds: duration === undefined ? null : parseDuration(duration) };
  const { method = 'GET', url, headers = {}, expectStatus = successStatuses } = http;
  return { kind: 'http', method, url, headers: { ...headers }, expectStatus: [expectStatus].flat(), everySeconds };
}

function normaliseSubWorkflow({ workflow = '', version = 'latest', parameters = {} }: TaskDefinition): SubWorkflowSpec {
  return { workflow, version: version === 'latest' ? null : version, parameters: { ...parameters } };
}

function normaliseHttp(task: TaskDefinition): HttpSpec {
  const expected = task.expectStatus ?? successStatuses;
  return {
    method: task.method ?? 'GET',
    url: task.url ?? '',
    headers: { ...task.headers },
    body: task.body ?? null,
    expectStatus: Array.isArray(expected) ? [...expected] : [expected],
  };
}

function normaliseResources(kind: TaskKind, resources: TaskDefinition['resources']): Resources {
  const sizeMib = (size: string | undefined) => (size === undefined ? 0 : (parseDataSizeMib(size) ?? 0));
  return {
    cpuMillis: resources?.cpu === undefined ? defaultCpuMillis[kind] : (parseCpuMillis(resources.cpu) ?? 0),
    memoryMib: sizeMib(resources?.memory),
    diskMib: sizeMib(resources?.disk),
    gpuCount: resources?.gpu?.count ?? 0,
  };
}

/** Each key of the task's own rule wins over the workflow's default, which wins over none. */
function normaliseRetry(...rules: (RetryDefinition | undefined)[]): RetryPolicy {
  const merged: RetryDefinition = Object.assign({}, ...rules);
  const seconds = (text: string | undefined, otherwise: number) => (text === undefined ? otherwise : (parseDuration(text) ?? otherwise));
  return {
    attempts: merged.attempts ?? defaultRetry.attempts,
    delaySeconds: seconds(merged.delay, defaultRetry.delaySeconds),
    backoff: merged.backoff ?? defaultRetry.backoff,
    maxDelaySeconds: seconds(merged.maxDelay, defaultRetry.maxDelaySeconds),
  };
}
