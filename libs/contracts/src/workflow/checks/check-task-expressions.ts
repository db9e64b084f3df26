import { findExpressions, phrase, type Reference } from '@medley/core';
import { entries, entry, isMap, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import { untilRoots } from '../schema/values.js';
import type { Suggestions } from '../suggestions.js';
import { checkBareExpression, checkTemplate } from './check-expressions.js';
import { declarations } from './check-parameters.js';
import type { ExpressionScope, NameFault } from './expression-scope.js';
import { Upstream } from './upstream.js';

/** That every name in the values of tasks has a value there. */
export function checkTaskExpressions(document: unknown, suggestions: Suggestions): WorkflowFault[] {
  const scopeOf = taskScopes(document, suggestions);
  return taskEntries(document).flatMap(({ key, path: at, task }) => [
    ...textsOf(task).flatMap(([path, text]) =>
      (isDelivered(path) ? checkDelivered : checkTemplate)([...at, ...path], text, scopeOf(key, mapOf(task), isLooped(task))),
    ),
    ...checkBareExpression([...at, 'when'], entry(task, 'when'), scopeOf(key), 'boolean'),
    ...checkBareExpression([...at, 'on'], entry(task, 'on'), scopeOf(key)),
    ...checkUntil([...at, 'loop', 'until'], entry(entry(task, 'loop'), 'until'), scopeOf(key, null, true)),
    ...checkTemplate([...at, 'map', 'over'], entry(entry(task, 'map'), 'over'), scopeOf(key)),
  ]);
}

/** What the server itself evaluates, as `until` and the look of a wait, gets no secrets. */
function isDelivered([key]: readonly PathSegment[]): boolean {
  return ['env', 'headers', 'url', 'body'].includes(String(key));
}

/** A text that only a granted claim renders may hold secrets, each by itself: what an expression would make of one could not be masked. */
function checkDelivered(path: PathSegment[], text: unknown, scope: ExpressionScope): WorkflowFault[] {
  const faults = checkTemplate(path, text, { ...scope, roots: new Set([...scope.roots, 'secrets']) });
  return faults.length > 0 || typeof text !== 'string' ? faults : secretsWithin(path, text);
}

function secretsWithin(path: PathSegment[], text: string): WorkflowFault[] {
  const inside = findExpressions(text).expressions.flatMap(({ expression }) => (expression.plain ? [] : expression.references));
  return inside
    .filter((reference) => reference.path[0] === 'secrets')
    .map((reference): WorkflowFault => {
      const name = reference.path.join('.');
      const form = `\${{ ${name} }}`;
      return { path, text: phrase('secret-stands-alone', { name }), expected: phrase('secret-stands-alone-form', { form }) };
    });
}

/** The name of the item in the values of a mapped task; null for any other. */
function mapOf(task: unknown): string | null {
  const map = entry(task, 'map');
  if (!isMap(map)) return null;
  return typeof map.as === 'string' ? map.as : 'item';
}

/** An expression over what the iteration gave, beside what the task may name. */
function checkUntil(path: PathSegment[], text: unknown, scope: ExpressionScope): WorkflowFault[] {
  return checkBareExpression(path, text, { ...scope, roots: new Set([...scope.roots, 'outputs']) }, 'boolean', untilRoots);
}

function isLooped(task: unknown): boolean {
  return isMap(entry(task, 'loop'));
}

/** What each task may name: the run's values, what the tasks before it have given, and its item or iteration. */
export function taskScopes(
  document: unknown,
  suggestions: Suggestions,
): (key: string, item?: string | null, isIterated?: boolean) => ExpressionScope {
  const upstream = new Upstream(document);
  const declared = declarations(document);
  const roots = new Set(['parameters', 'run', 'task', 'schedule', 'tasks', 'map', 'loop', 'variables']);
  return (key, item = null, isIterated = false) => ({
    roots,
    why: (name) => phrase('reference-not-in-task', { name }),
    declared,
    suggestions,
    refuse: (reference) => {
      if (reference.path[0] === 'loop') return isIterated ? null : refuseIteration(reference);
      return reference.path[0] === 'map' ? refuseItem(reference, item) : refuseTask(reference, key, upstream, suggestions);
    },
  });
}

function refuseItem({ path }: Reference, item: string | null): NameFault | null {
  if (item !== null && (path[1] === item || path[1] === 'index')) return null;
  return { text: phrase('map-name-unknown', { name: path.join('.') }), expected: phrase('map-name-form', { item: item ?? 'item' }) };
}

function refuseIteration({ path }: Reference): NameFault {
  return { text: phrase('loop-name-unknown', { name: path.join('.') }), expected: phrase('loop-name-form') };
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
  const single = ['url', 'body', 'until'].map((key): [PathSegment[], unknown] => [[key], entry(task, key)]);
  const named = ['env', 'headers'].flatMap((key) => textsIn([key], entry(task, key)));
  const given = entries(entry(task, 'parameters')).flatMap(([name, value]): [PathSegment[], unknown][] =>
    Array.isArray(value) ? value.map((item, index) => [['parameters', name, index], item]) : [[['parameters', name], value]],
  );
  const look = entry(task, 'http');
  const path = entry(entry(task, 'file'), 'path');
  return [
    ...single,
    ...named,
    ...given,
    [['file', 'path'], path],
    [['http', 'url'], entry(look, 'url')],
    ...textsIn(['http', 'headers'], entry(look, 'headers')),
  ];
}

function textsIn(path: PathSegment[], map: unknown): [PathSegment[], unknown][] {
  return isMap(map) ? entries(map).map(([name, text]): [PathSegment[], unknown] => [[...path, name], text]) : [];
}
