import type { WorkflowDag, WorkflowSpec } from '@medley/contracts';
import { topologicalLevels } from '@medley/core';

/** Tasks in the order of the definition, each with its column for drawing. */
export function workflowDagOf(spec: WorkflowSpec): WorkflowDag {
  const levels = topologicalLevels(spec.tasks);
  const levelOf = new Map(levels.flatMap((keys, level) => keys.map((key) => [key, level] as const)));
  const tasks = spec.tasks.map(({ key, position, kind, needs, pool, isFinal, subWorkflow }) => ({
    key,
    position,
    kind,
    level: levelOf.get(key) ?? 0,
    needs: Object.entries(needs.conditions).map(([task, on]) => ({ task, on })),
    needsMode: needs.mode,
    pool,
    isFinal: isFinal ?? false,
    runs: subWorkflow ? { workflow: subWorkflow.workflow, version: subWorkflow.version } : null,
  }));
  return { levelCount: levels.length, tasks };
}
