import { phrase } from '@medley/core';
import { entries, entry, isMap, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import type { Suggestions } from '../suggestions.js';
import { checkTemplate } from './check-expressions.js';
import { declarations } from './check-parameters.js';
import type { ExpressionScope } from './expression-scope.js';

/** That every name in the values of tasks has a value there. */
export function checkTaskExpressions(document: unknown, suggestions: Suggestions): WorkflowFault[] {
  const why = (name: string) => phrase('reference-not-in-task', { name });
  const roots = new Set(['parameters', 'run', 'task', 'schedule']);
  const scope: ExpressionScope = { roots, why, declared: declarations(document), suggestions };
  return taskEntries(document).flatMap(({ path: at, task }) =>
    textsOf(task).flatMap(([path, text]) => checkTemplate([...at, ...path], text, scope)),
  );
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
