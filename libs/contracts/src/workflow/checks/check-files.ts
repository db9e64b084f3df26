import { phrase } from '@medley/core';
import { entries, entry, isMap, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import type { Suggestions } from '../suggestions.js';
import { Upstream } from './upstream.js';

/** Kinds whose task runs in a directory of its own. */
const kindsWithDirectory = ['shell', 'python', 'node'];

/** That only tasks with a working directory keep and fetch files, and fetch them of tasks before them that keep some. */
export function checkFiles(document: unknown, suggestions: Suggestions): WorkflowFault[] {
  const tasks = taskEntries(document);
  const asking = tasks.filter(({ task }) => entry(task, 'files') !== undefined);
  if (asking.length === 0) return [];
  const keeping = new Set(tasks.filter(({ task }) => entry(entry(task, 'files'), 'keep') !== undefined).map(({ key }) => key));
  const upstream = new Upstream(document);
  return asking.flatMap(({ key, task, path }) => {
    const files = entry(task, 'files');
    const at = [...path, 'files'];
    const kind = entry(task, 'kind');
    if (typeof kind === 'string' && !kindsWithDirectory.includes(kind))
      return [{ path: at, atKey: true, text: phrase('files-of-kind', { kind }) }];
    if (isMap(files) && entries(files).length === 0) return [{ path: at, text: phrase('files-empty'), expected: phrase('files-form') }];
    const fetch = entry(files, 'fetch');
    return (Array.isArray(fetch) ? fetch : []).flatMap((each, index) =>
      checkFrom([...at, 'fetch', index, 'from'], key, entry(each, 'from'), upstream, keeping, suggestions),
    );
  });
}

function checkFrom(
  path: PathSegment[],
  task: string,
  name: unknown,
  upstream: Upstream,
  keeping: ReadonlySet<string>,
  suggestions: Suggestions,
): WorkflowFault[] {
  if (typeof name !== 'string') return [];
  if (!upstream.has(name))
    return [
      { path, text: phrase('task-not-known', { name, hint: suggestions.hint(name, upstream.keys) }), expected: phrase('task-key-form') },
    ];
  if (!upstream.of(task).has(name))
    return [{ path, text: phrase('task-not-upstream', { task, name }), expected: phrase('task-upstream-form', { name }) }];
  return keeping.has(name) ? [] : [{ path, text: phrase('files-not-kept', { name }), expected: phrase('files-not-kept-form') }];
}
