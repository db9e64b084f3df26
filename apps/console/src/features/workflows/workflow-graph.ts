import type { DagTask, WorkflowSpec } from '@medley/contracts';
import type { GraphTask } from '../../graph/graph-model.js';

/** The tasks of a text as a graph. */
export function graphOfSpec(spec: WorkflowSpec): GraphTask[] {
  return spec.tasks.map((task) => ({ key: task.key, kind: task.kind, needs: task.needs }));
}

/** The tasks of a stored version as a graph. */
export function graphOfDag(tasks: readonly DagTask[]): GraphTask[] {
  return tasks.map((task) => ({
    key: task.key,
    kind: task.kind,
    needs: { mode: task.needsMode, conditions: Object.fromEntries(task.needs.map((need) => [need.task, need.on])) },
  }));
}
