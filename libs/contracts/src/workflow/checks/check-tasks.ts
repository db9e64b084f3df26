import { entries, entry, type WorkflowFault } from '../fault.js';
import { type TaskKind, taskKinds } from '../schema/task.schema.js';

const scriptKeyOf: Partial<Record<TaskKind, string>> = { shell: 'run', python: 'python', node: 'node' };
const scriptKeys = ['run', 'python', 'node'];
const httpKeys = ['url', 'method', 'headers', 'body', 'expectStatus'];
const kindExpected = '`run`, `python` or `node` with a script, or `kind: http` with `url`, or `kind: noop`';

/** That each task has the keys of its kind and none of another. */
export function checkTasks(document: unknown): WorkflowFault[] {
  return entries(entry(document, 'tasks')).flatMap(([key, task]) => checkTask(key, task));
}

function checkTask(key: string, task: unknown): WorkflowFault[] {
  const path = ['tasks', key];
  if (key === 'any') return [{ path, atKey: true, message: '`any` cannot name a task: it has a meaning in `needs`' }];
  const present = new Set(entries(task).map(([name]) => name));
  const scripts = scriptKeys.filter((name) => present.has(name));
  const stated = entry(task, 'kind');
  if (scripts.length > 1)
    return [{ path, message: `it has ${scripts.map((name) => `\`${name}\``).join(' and ')}`, expected: 'one script' }];
  if (stated === undefined) return checkWithoutKind(path, present, scripts);
  const kind = taskKinds.find((each) => each === stated);
  if (kind === undefined) return [];
  const owned = kind === 'http' ? httpKeys : [scriptKeyOf[kind] ?? ''];
  return [...foreignKeys(path, present, owned, `a ${kind} task`), ...missingKey(path, present, kind), ...checkBody(path, task)];
}

function checkWithoutKind(path: string[], present: ReadonlySet<string>, scripts: string[]): WorkflowFault[] {
  if (present.has('url')) return [{ path, message: '`url` without a kind', expected: 'add `kind: http`' }];
  if (scripts.length === 0) return [{ path, message: 'the task does nothing', expected: kindExpected }];
  return foreignKeys(path, present, scripts, 'a task with a script');
}

function foreignKeys(path: string[], present: ReadonlySet<string>, owned: string[], what: string): WorkflowFault[] {
  const foreign = [...scriptKeys, ...httpKeys].filter((name) => present.has(name) && !owned.includes(name));
  return foreign.map((name) => ({ path: [...path, name], atKey: true, message: `\`${name}\` has no meaning in ${what}` }));
}

function missingKey(path: string[], present: ReadonlySet<string>, kind: TaskKind): WorkflowFault[] {
  const needed = kind === 'http' ? 'url' : scriptKeyOf[kind];
  if (needed === undefined || present.has(needed)) return [];
  return [{ path, message: `a ${kind} task needs \`${needed}\``, expected: kind === 'http' ? 'an address' : 'the text of a script' }];
}

function checkBody(path: string[], task: unknown): WorkflowFault[] {
  const method = entry(task, 'method') ?? 'GET';
  const bodiless = method === 'GET' || method === 'HEAD';
  if (!bodiless || entry(task, 'body') === undefined) return [];
  return [{ path: [...path, 'body'], atKey: true, message: `a ${method} request has no body`, expected: '`method: POST` or another' }];
}
