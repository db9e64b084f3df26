import { type Phrase, type PhraseValue, phrase } from '@medley/core';
import { entries, entry, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import { type TaskKind, taskKinds } from '../schema/task.schema.js';

const scriptKeyOf: Partial<Record<TaskKind, string>> = { shell: 'run', python: 'python', node: 'node' };
const scriptKeys = ['run', 'python', 'node'];
/** Keys of kinds that the server itself does. */
const ownKeys: Partial<Record<TaskKind, readonly string[]>> = {
  switch: ['on', 'cases', 'default'],
  workflow: ['workflow', 'version', 'parameters', 'outputs'],
};
/** Those without which such a task says nothing, with what belongs there. */
const requiredKeys: Partial<Record<TaskKind, Record<string, 'on-form' | 'cases-form' | 'sub-workflow-form'>>> = {
  switch: { on: 'on-form', cases: 'cases-form' },
  workflow: { workflow: 'sub-workflow-form' },
};
/** What has no meaning where no node runs anything. */
const nodeKeys = ['env', 'resources', 'labels', 'pool', 'timeout', 'onLeaseLost'];
const httpKeys = ['url', 'method', 'headers', 'body', 'expectStatus', 'outputs'];

/** That each task has the keys of its kind and none of another. */
export function checkTasks(document: unknown): WorkflowFault[] {
  return [...taskEntries(document).flatMap(({ key, task, path }) => checkTask(key, path, task)), ...checkTwice(document)];
}

function checkTwice(document: unknown): WorkflowFault[] {
  const tasks = entry(document, 'tasks');
  return entries(entry(document, 'finally')).flatMap(([key]) => {
    if (entry(tasks, key) === undefined) return [];
    return [{ path: ['finally', key], atKey: true, text: phrase('name-twice', { task: key }), expected: phrase('name-twice-form') }];
  });
}

function checkTask(key: string, path: PathSegment[], task: unknown): WorkflowFault[] {
  const isBoth = entry(task, 'map') !== undefined && entry(task, 'loop') !== undefined;
  const both = isBoth ? [{ path: [...path, 'loop'], atKey: true, text: phrase('loop-with-map'), expected: phrase('loop-key-form') }] : [];
  return [...both, ...checkKeys(key, path, task)];
}

function checkKeys(key: string, path: PathSegment[], task: unknown): WorkflowFault[] {
  if (key === 'any') return [{ path, atKey: true, text: phrase('task-named-any') }];
  const present = new Set(entries(task).map(([name]) => name));
  const scripts = scriptKeys.filter((name) => present.has(name));
  const stated = entry(task, 'kind');
  if (scripts.length > 1) {
    const keys = scripts.map((name): PhraseValue => `\`${name}\``).reduce((left, right) => phrase('both', { left, right }));
    return [{ path, text: phrase('several-scripts', { keys }), expected: phrase('one-script') }];
  }
  if (stated === undefined) return checkWithoutKind(path, present, scripts);
  const kind = taskKinds.find((each) => each === stated);
  if (kind === undefined) return [];
  const owned = kind === 'http' ? httpKeys : (ownKeys[kind] ?? [scriptKeyOf[kind] ?? '']);
  return [
    ...foreignKeys(path, present, owned, phrase('task-of-kind', { kind })),
    ...missingKey(path, present, kind),
    ...checkBody(path, task),
    ...checkUnplaced(path, present, kind),
  ];
}

function checkWithoutKind(path: PathSegment[], present: ReadonlySet<string>, scripts: string[]): WorkflowFault[] {
  if (present.has('url')) return [{ path, text: phrase('url-without-kind'), expected: phrase('add-kind-http') }];
  if (scripts.length === 0) return [{ path, text: phrase('task-does-nothing'), expected: phrase('task-form') }];
  return foreignKeys(path, present, scripts, phrase('task-with-script'));
}

function foreignKeys(path: PathSegment[], present: ReadonlySet<string>, owned: readonly string[], where: Phrase): WorkflowFault[] {
  const foreign = [...new Set([...scriptKeys, ...httpKeys, ...Object.values(ownKeys).flat()])].filter(
    (name) => present.has(name) && !owned.includes(name),
  );
  return foreign.map((name) => ({ path: [...path, name], atKey: true, text: phrase('key-foreign', { key: name, where }) }));
}

function missingKey(path: PathSegment[], present: ReadonlySet<string>, kind: TaskKind): WorkflowFault[] {
  const own = Object.entries(requiredKeys[kind] ?? {}).filter(([name]) => !present.has(name));
  if (own.length > 0)
    return own.map(([key, expected]) => ({ path, text: phrase('task-key-missing', { kind, key }), expected: phrase(expected) }));
  const needed = kind === 'http' ? 'url' : scriptKeyOf[kind];
  if (needed === undefined || present.has(needed)) return [];
  return [
    { path, text: phrase('task-key-missing', { kind, key: needed }), expected: phrase(kind === 'http' ? 'an-address' : 'script-form') },
  ];
}

/** Without a node there is nothing to be tried again, and a switch has nothing to repeat. What a sub-workflow runs takes its own limits. */
const withoutNode: Partial<Record<TaskKind, readonly string[]>> = {
  switch: [...nodeKeys, 'retry', 'map', 'loop', 'deadline', 'onDeadline'],
  approval: ['map', 'loop'],
  'wait-for': ['map', 'loop'],
  workflow: [...nodeKeys, 'limits', 'mutex'],
};

function checkUnplaced(path: PathSegment[], present: ReadonlySet<string>, kind: TaskKind): WorkflowFault[] {
  const foreign = (withoutNode[kind] ?? []).filter((name) => present.has(name));
  return foreign.map((name) => ({ path: [...path, name], atKey: true, text: phrase('key-without-node', { key: name, kind }) }));
}

function checkBody(path: PathSegment[], task: unknown): WorkflowFault[] {
  const method = entry(task, 'method') ?? 'GET';
  const bodiless = method === 'GET' || method === 'HEAD';
  if (!bodiless || entry(task, 'body') === undefined) return [];
  return [
    {
      path: [...path, 'body'],
      atKey: true,
      text: phrase('request-without-body', { method: String(method) }),
      expected: phrase('method-with-body'),
    },
  ];
}
