import { type ApplyChange, isMap, type WorkflowDefinition } from '@medley/contracts';
import { canonicalJson } from '../rest/canonical-json.js';

/** Dotted paths at which two values differ, e.g. `resources.cpu`. Lists count as one value. */
export function differingPaths(before: unknown, after: unknown, path = ''): string[] {
  if (isMap(before) && isMap(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differingPaths(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  return canonicalJson(before) === canonicalJson(after) ? [] : [path];
}

/** What a new definition changes in the one before, in the words of the file. Schedules are not part of it: they live on their own. */
export function diffDefinitions(before: WorkflowDefinition | null, after: WorkflowDefinition): ApplyChange[] {
  const { tasks: _, finally: __, schedules: ___, ...head } = after;
  const tasks = tasksOf(after);
  if (!before) {
    return [change('workflow', after.workflow, 'create'), ...Object.keys(tasks).map((key) => change('task', key, 'create'))];
  }
  const { tasks: _tasks, finally: _finally, schedules: _schedules, ...headBefore } = before;
  const tasksBefore = tasksOf(before);
  const headPaths = differingPaths(headBefore, head);
  const keys = [...new Set([...Object.keys(tasks), ...Object.keys(tasksBefore)])];
  const taskChanges = keys.flatMap((key) => diffTask(key, tasksBefore[key], tasks[key]));
  return [...(headPaths.length > 0 ? [change('workflow', after.workflow, 'update', headPaths)] : []), ...taskChanges];
}

/** All tasks by key; one that moved into or out of `finally` differs by that. */
function tasksOf({ tasks, finally: finals = {} }: WorkflowDefinition): Record<string, unknown> {
  const marked = Object.entries(finals).map(([key, task]) => [key, { ...task, finally: true }] as const);
  return { ...tasks, ...Object.fromEntries(marked) };
}

function diffTask(key: string, before: unknown, after: unknown): ApplyChange[] {
  if (before === undefined) return [change('task', key, 'create')];
  if (after === undefined) return [change('task', key, 'remove')];
  const paths = differingPaths(before, after);
  return paths.length > 0 ? [change('task', key, 'update', paths)] : [];
}

export function change(
  kind: ApplyChange['kind'],
  name: string,
  action: ApplyChange['action'],
  paths: string[] = [],
  note: string | null = null,
): ApplyChange {
  return { kind, name, action, paths, note };
}
