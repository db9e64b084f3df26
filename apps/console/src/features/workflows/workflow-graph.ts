import { type DagTask, normaliseTasks, type WorkflowDefinition } from '@medley/contracts';
import type { GraphTask } from '../../graph/graph-model.js';

/** The tasks of a definition as a graph. */
export function graphOfDefinition(definition: WorkflowDefinition): GraphTask[] {
  const tasks = { ...definition.tasks, ...definition.finally };
  return normaliseTasks(definition).map(({ key, kind, needs, isFinal }) => ({
    key,
    kind,
    needs,
    isFinal: isFinal ?? false,
    isMapped: tasks[key]?.map !== undefined,
    isLooped: tasks[key]?.loop !== undefined,
  }));
}

/** Whether a task is needed by another, directly or through others; then the first must not need the second. */
export function leadsTo(tasks: readonly GraphTask[], from: string, to: string): boolean {
  const needs = new Map(tasks.map((task) => [task.key, Object.keys(task.needs.conditions)]));
  const seen = new Set<string>();
  const open = [to];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (key === from) return true;
    if (seen.has(key)) continue;
    seen.add(key);
    open.push(...(needs.get(key) ?? []));
  }
  return false;
}

/** A name of a task that is not taken: `shell`, `shell-2`, … */
export function freeKey(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

/** The tasks of a stored version as a graph. */
export function graphOfDag(tasks: readonly DagTask[]): GraphTask[] {
  return tasks.map((task) => ({
    key: task.key,
    kind: task.kind,
    isFinal: task.isFinal,
    needs: { mode: task.needsMode, conditions: Object.fromEntries(task.needs.map((need) => [need.task, need.on])) },
  }));
}
