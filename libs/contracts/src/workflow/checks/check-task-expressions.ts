import { phrase, type Reference } from '@medley/core';
import { entries, entry, isMap, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import type { Suggestions } from '../suggestions.js';
import { checkTemplate } from './check-expressions.js';
import { declarations } from './check-parameters.js';
import type { ExpressionScope, NameFault } from './expression-scope.js';
import { Upstream } from './upstream.js';

/** That every name in the values of tasks has a value there. */
export function checkTaskExpressions(document: unknown, suggestions: Suggestions): WorkflowFault[] {
  const scopeOf = taskScopes(document, suggestions);
  return taskEntries(document).flatMap(({ path: at, key, task }) =>
    textsOf(task).flatMap(([path, text]) => checkTemplate([...at, ...path], text, scopeOf(key))),
  );
}

/** What each task may name: the run's values, and what the tasks before it have given. */
export function taskScopes(document: unknown, suggestions: Suggestions): (key: string) => ExpressionScope {
  const upstream = new Upstream(document);
  const declared = declarations(document);
  const roots = new Set(['parameters', 'run', 'task', 'schedule', 'tasks']);
  return (key) => ({
    roots,
    why: (name) => phrase('reference-not-in-task', { name }),
    declared,
    suggestions,
    refuse: (reference) => refuseTask(reference, key, upstream, suggestions),
  });
}

function refuseTask({ path }: Reference, key: string, upstream: Upstream, suggestions: Suggestions): NameFault | null {
  const [root, name] = path as [string, string];
  if (root !== 'tasks' || upstream.of(key).has(name)) return null;
  if (!upstream.has(name)) {
    return { text: phrase('task-not-known', { name, hint: suggestions.hint(name, upstream.keys) }), expected: phrase('task-key-form') };
  }
  const text = name === key ? phrase('task-itself', { name: path.join('.') }) : phrase('task-not-upstream', { task: key, name });
  return { text, expected: phrase('task-upstream-form', { name }) };
}

/** The texts of a task that may hold `${{ }}`. */
function textsOf(task: unknown): [PathSegment[], unknown][] {
  const single = ['url', 'body'].map((key): [PathSegment[], unknown] => [[key], entry(task, key)]);
  const named = ['env', 'headers'].flatMap((key) => {
    const map = entry(task, key);
    return isMap(map) ? entries(map).map(([name, text]): [PathSegment[], unknown] => [[key, name], text]) : [];
  });
  return [...single, ...named];
}
