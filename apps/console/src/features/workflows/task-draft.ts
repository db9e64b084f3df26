import { kindOf, normaliseNeeds, parseWorkflowJson, type TaskDefinition, type TaskKind, type WorkflowDefinition } from '@medley/contracts';
import type { YamlEdit } from '../../editor/yaml-edit.js';
import type { ToldFault } from '../../i18n/phrases.js';
import { type DraftLimit, draftLimits, limitsOf } from './task-limits.js';

/** A task as the form holds it: everything as text. Needs are edited as edges of the graph. */
export interface TaskDraft {
  kind: TaskKind;
  script: string;
  method: string;
  url: string;
  headers: DraftPair[];
  body: string;
  expectStatus: string;
  env: DraftPair[];
  cpu: string;
  memory: string;
  disk: string;
  gpu: string;
  labels: string;
  pool: string;
  timeout: string;
  deadline: string;
  onDeadline: string;
  by: string;
  until: string;
  for: string;
  filePath: string;
  fileNode: string;
  every: string;
  priority: string;
  onLeaseLost: string;
  attempts: string;
  delay: string;
  backoff: string;
  maxDelay: string;
  when: string;
  over: string;
  as: string;
  parallel: string;
  onFailure: string;
  loopUntil: string;
  loopMax: string;
  loopDelay: string;
  onMax: string;
  on: string;
  limits: DraftLimit[];
  mutex: string;
  /** Names of tasks by value, as a list with commas. */
  cases: DraftPair[];
  otherwise: string;
  workflow: string;
  version: string;
  parameters: DraftPair[];
  /** Expressions over an answer, or over the tasks of a sub-workflow. */
  outputs: DraftPair[];
}

export interface DraftPair {
  name: string;
  value: string;
}

const scriptKeys = { shell: 'run', python: 'python', node: 'node' } as const;
const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));
const listText = (value: unknown) => (Array.isArray(value) ? value.map(text).join(', ') : text(value));
const pairs = (map: Record<string, unknown> | undefined): DraftPair[] =>
  Object.entries(map ?? {}).map(([name, value]) => ({ name, value: text(value) }));

/** A value of any type as it is typed: a text stands for itself, unless it would be read as something else. */
function valueText(value: unknown): string {
  return typeof value === 'string' && typedValue(value) === value ? value : JSON.stringify(value);
}

/** Numbers, true and false, lists and quoted texts are read as JSON; anything else is a text. */
function typedValue(typed: string): unknown {
  try {
    const value: unknown = JSON.parse(typed);
    return value === null || (typeof value === 'object' && !Array.isArray(value)) ? typed : value;
  } catch {
    return typed;
  }
}

export function draftOf(task: TaskDefinition): TaskDraft {
  const { resources, retry } = task;
  const call = task.http ?? task;
  return {
    kind: kindOf(task),
    script: task.run ?? task.python ?? task.node ?? '',
    method: text(call.method),
    url: text(call.url),
    headers: pairs(call.headers),
    body: text(task.body),
    expectStatus: [call.expectStatus ?? []].flat().join(', '),
    env: pairs(task.env),
    cpu: text(resources?.cpu),
    memory: text(resources?.memory),
    disk: text(resources?.disk),
    gpu: text(resources?.gpu?.count),
    labels: text(task.labels),
    pool: text(task.pool),
    timeout: text(task.timeout),
    deadline: text(task.deadline),
    onDeadline: text(task.onDeadline),
    by: (task.by ?? []).join(', '),
    until: text(task.until),
    for: text(task.for),
    filePath: text(task.file?.path),
    fileNode: text(task.file?.node),
    every: text(task.every),
    priority: text(task.priority),
    onLeaseLost: text(task.onLeaseLost),
    attempts: text(retry?.attempts),
    delay: text(retry?.delay),
    backoff: text(retry?.backoff),
    maxDelay: text(retry?.maxDelay),
    when: text(task.when),
    limits: draftLimits(task.limits),
    mutex: text(task.mutex),
    over: listText(task.map?.over),
    as: text(task.map?.as),
    parallel: text(task.map?.parallel),
    onFailure: text(task.map?.onFailure),
    loopUntil: text(task.loop?.until),
    loopMax: text(task.loop?.max),
    loopDelay: text(task.loop?.delay),
    onMax: text(task.loop?.onMax),
    on: text(task.on),
    cases: Object.entries(task.cases ?? {}).map(([name, keys]) => ({ name, value: listText(keys) })),
    otherwise: listText(task.default),
    workflow: text(task.workflow),
    version: text(task.version),
    parameters: Object.entries(task.parameters ?? {}).map(([name, value]) => ({ name, value: valueText(value) })),
    outputs: pairs(task.outputs),
  };
}

/** What the form writes; every other key of a task stays as it was. */
const formKeys: ReadonlySet<string> = new Set([
  ...[
    'kind',
    'needs',
    'when',
    'map',
    'loop',
    'on',
    'cases',
    'default',
    'workflow',
    'version',
    'parameters',
    'outputs',
    'run',
    'python',
    'node',
    'method',
    'url',
    'headers',
    'body',
    'expectStatus',
  ],
  ...[
    'env',
    'resources',
    'labels',
    'pool',
    'timeout',
    'deadline',
    'onDeadline',
    'by',
    'until',
    'for',
    'http',
    'file',
    'every',
    'priority',
    'onLeaseLost',
    'retry',
    'limits',
    'mutex',
  ],
]);

/** The map of the file in which a task stands. */
export function sectionOf(key: string, { finally: finals }: WorkflowDefinition): 'tasks' | 'finally' {
  return finals !== undefined && key in finals ? 'finally' : 'tasks';
}

/** The task that a draft says, in the form of the file. What the form does not show, and values it did not change, stay as they were. */
export function taskOf(draft: TaskDraft, before: TaskDefinition): Record<string, unknown> {
  const isHttp = draft.kind === 'http';
  const scriptKey = draft.kind in scriptKeys ? scriptKeys[draft.kind as keyof typeof scriptKeys] : null;
  const needsKind = scriptKey === null || (before.kind !== undefined && kindOf(before) === draft.kind);
  return {
    ...(needsKind ? { kind: draft.kind } : {}),
    ...(before.needs === undefined ? {} : { needs: before.needs }),
    ...given({ when: draft.when, map: draft.kind === 'switch' ? undefined : mapOfItems(draft, before.map) }),
    ...given({ loop: draft.kind === 'switch' ? undefined : loopOf(draft) }),
    ...(draft.kind === 'switch' ? switchOf(draft) : {}),
    ...(scriptKey === null ? {} : { [scriptKey]: draft.script }),
    ...(draft.kind === 'workflow' ? subWorkflowOf(draft) : {}),
    ...(isHttp || draft.kind === 'workflow' ? given({ outputs: mapOf(draft.outputs, before.outputs) }) : {}),
    ...(draft.kind === 'wait-for' ? waitOf(draft, before.http) : {}),
    ...(isHttp ? given({ method: draft.method, url: draft.url, headers: mapOf(draft.headers, before.headers), body: draft.body }) : {}),
    ...(isHttp ? given({ expectStatus: statusesOf(draft.expectStatus) }) : {}),
    ...whereOf(draft, before),
    ...Object.fromEntries(Object.entries(before).filter(([key]) => !formKeys.has(key))),
  };
}

/** All that was filled in, so that the check can say that it is too much. */
function waitOf(draft: TaskDraft, before: TaskDefinition['http']): Record<string, unknown> {
  const { url, method, headers, expectStatus } = draft;
  const look = given({ url, method, headers: mapOf(headers, before?.headers), expectStatus: statusesOf(expectStatus) });
  const file = mapOrNothing({ path: draft.filePath, node: draft.fileNode.trim() });
  return given({ until: draft.until, for: draft.for, http: url === '' ? undefined : look, file, every: draft.every });
}

function subWorkflowOf({ workflow, version, parameters }: TaskDraft): Record<string, unknown> {
  const named = parameters.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), typedValue(value)]);
  return {
    workflow,
    ...given({ version: number(version), parameters: named.length === 0 ? undefined : Object.fromEntries(named) }),
  };
}

/** How a task is placed, tried again and ended from outside, as far as its kind has that. */
function whereOf(draft: TaskDraft, before: TaskDefinition): Record<string, unknown> {
  const priority = number(draft.priority);
  if (draft.kind === 'switch') return given({ priority });
  const retry = mapOrNothing({ attempts: number(draft.attempts), delay: draft.delay, backoff: draft.backoff, maxDelay: draft.maxDelay });
  const { deadline, onDeadline } = draft;
  if (draft.kind === 'workflow') return given({ deadline, onDeadline, priority, retry });
  return {
    ...given({
      env: mapOf(draft.env, before.env),
      resources: mapOrNothing({
        cpu: number(draft.cpu),
        memory: draft.memory,
        disk: draft.disk,
        gpu: mapOrNothing({ count: number(draft.gpu) }),
      }),
      labels: draft.labels,
      pool: draft.pool,
      timeout: draft.timeout,
      deadline,
      onDeadline,
      by: listOf(draft.by),
      priority,
      onLeaseLost: draft.onLeaseLost,
      limits: limitsOf(draft.limits, before.limits),
      mutex: draft.mutex.trim(),
      retry,
    }),
  };
}

/** What stands between commas; nothing for an empty text. */
function listOf(text: string): string[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  const named = parts.filter((part) => part !== '');
  return named.length === 0 ? undefined : named;
}

/** The items stay as they were written unless they were changed; a list with commas otherwise, or an expression. */
function mapOfItems({ over, as, parallel, onFailure }: TaskDraft, before: TaskDefinition['map']): Record<string, unknown> | undefined {
  if (over.trim() === '') return undefined;
  const items = listText(before?.over) === over ? before?.over : over.includes('${' + '{') ? over : namesOf(over);
  return given({ over: items, as, parallel: number(parallel), onFailure });
}

/** Nothing of it without its condition. */
function loopOf({ loopUntil, loopMax, loopDelay, onMax }: TaskDraft): Record<string, unknown> | undefined {
  return loopUntil.trim() === '' ? undefined : given({ until: loopUntil, max: number(loopMax), delay: loopDelay, onMax });
}

function switchOf({ on, cases, otherwise }: TaskDraft): Record<string, unknown> {
  const named = cases.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), namesOf(value)] as const);
  const rest = namesOf(otherwise);
  return { on, cases: Object.fromEntries(named), ...(rest.length > 0 ? { default: rest } : {}) };
}

function namesOf(list: string): string[] {
  return list.split(/[\s,，]+/).filter((each) => each !== '');
}

/** Numbers as numbers; what is none stays a text, so that the check can say what is wrong with it. */
function number(value: string): string | number {
  const trimmed = value.trim();
  return trimmed === '' || Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
}

function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined));
}

function mapOrNothing(values: Record<string, unknown>): Record<string, unknown> | undefined {
  const map = given(values);
  return Object.keys(map).length === 0 ? undefined : map;
}

function mapOf(list: readonly DraftPair[], before: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const named = list.filter(({ name }) => name.trim() !== '');
  if (named.length === 0) return undefined;
  return Object.fromEntries(
    named.map(({ name, value }) => [name.trim(), text(before?.[name.trim()]) === value ? (before?.[name.trim()] ?? value) : value]),
  );
}

function statusesOf(list: string): unknown {
  const statuses = list
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .map(number);
  return statuses.length > 1 ? statuses : statuses[0];
}

/** The edits that turn one value of the file into another, each as deep as it can be, so that what is beside stays as it was written. */
export function editsBetween(path: readonly string[], before: Record<string, unknown>, after: Record<string, unknown>): YamlEdit[] {
  const removed = Object.keys(before).filter((key) => after[key] === undefined);
  const edits = Object.entries(after).flatMap(([key, value]): YamlEdit[] => {
    const old = before[key];
    if (value === undefined || JSON.stringify(old) === JSON.stringify(value)) return [];
    if (isMap(old) && isMap(value)) return editsBetween([...path, key], old, value);
    return [{ kind: 'set', path: [...path, key], value, first: key === 'kind' }];
  });
  return [...edits, ...removed.map((key): YamlEdit => ({ kind: 'remove', path: [...path, key] }))];
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export type DraftFault = ToldFault;

/** The tasks that one may name, without what they do: those it needs, itself or through others, and those of its cases. */
function stubsAround(key: string, task: Record<string, unknown>, tasks: WorkflowDefinition['tasks']): Record<string, unknown> {
  const needsOf = (needs: unknown) => Object.keys(normaliseNeeds(needs as TaskDefinition['needs']).conditions);
  const branches = [...Object.values((task.cases ?? {}) as Record<string, string[]>), (task.default ?? []) as string[]].flat();
  const stubs = new Map<string, unknown>(branches.filter((name) => name in tasks).map((name) => [name, { kind: 'noop' }]));
  const open = needsOf(task.needs);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === key || stubs.has(name)) continue;
    const needs = tasks[name]?.needs;
    stubs.set(name, { kind: 'noop', ...(needs === undefined ? {} : { needs }) });
    open.push(...needsOf(needs));
  }
  return Object.fromEntries(stubs);
}

/** What is wrong with a task by the field of the file, as the check of the whole file would say it. */
export function faultsOfTask(
  key: string,
  task: Record<string, unknown>,
  { project, workflow, parameters, defaults, tasks }: WorkflowDefinition,
): Map<string, DraftFault> {
  const stubs = stubsAround(key, task, tasks);
  const rest = { ...(parameters && { parameters }), ...(defaults && { defaults }) };
  const parsed = parseWorkflowJson({ medley: 1, project, workflow, ...rest, tasks: { ...stubs, [key]: task } });
  if (parsed.ok) return new Map();
  const prefix = `tasks.${key}`;
  return new Map(
    parsed.errors
      .filter(({ path }) => path === prefix || path.startsWith(`${prefix}.`))
      .map(({ path, line: _, column: __, ...fault }) => [path.slice(prefix.length + 1), fault]),
  );
}

/** What a new task of a kind begins with: valid, so that the graph can be drawn on. */
export function newTask(kind: TaskKind): Record<string, unknown> {
  const starts: Record<TaskKind, Record<string, unknown>> = {
    shell: { run: 'echo hello' },
    python: { python: 'print("hello")' },
    node: { node: 'console.log("hello");' },
    http: { kind: 'http', method: 'GET', url: 'https://example.com/' },
    noop: { kind: 'noop' },
    approval: { kind: 'approval', by: ['role:operator'] },
    'wait-for': { kind: 'wait-for', for: '10m' },
    switch: { kind: 'switch', on: '"a"', cases: {} },
    workflow: { kind: 'workflow', workflow: 'another-workflow' },
  };
  return starts[kind];
}
