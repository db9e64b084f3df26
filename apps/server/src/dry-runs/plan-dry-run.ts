import type { DryRunTask, SubWorkflowSpec } from '@medley/contracts';
import { topologicalLevels, unknownExpectedSeconds, upwardRanks } from '@medley/core';
import type { LoadedWorkflow } from '../settlement/workflow-specs.js';
import { decideBegins, type KnownBefore } from './decide-begins.js';

export type PlannedTask = Omit<DryRunTask, 'placement'>;

/** The tasks of a workflow in the order in which they could begin: by level, then as they would be placed together, the longest remaining path first. `latest` are the latest versions of the workflows that they run. */
export function planDryRun(
  workflow: LoadedWorkflow,
  known: KnownBefore,
  seconds: ReadonlyMap<string, number>,
  latest: ReadonlyMap<string, number>,
): PlannedTask[] {
  const { spec } = workflow;
  const begins = decideBegins(workflow, known);
  const levels = new Map(topologicalLevels(spec.tasks).flatMap((keys, level) => keys.map((key) => [key, level] as const)));
  const ranks = upwardRanks(spec.tasks, (key) => seconds.get(key) ?? unknownExpectedSeconds);
  const planned = spec.tasks.map((task) => ({
    position: task.position,
    isFinal: task.isFinal === true,
    planned: {
      key: task.key,
      kind: task.kind,
      level: levels.get(task.key) ?? 0,
      rank: ranks.get(task.key) ?? 0,
      expectedSeconds: seconds.get(task.key) ?? null,
      ...begins.get(task.key)!,
      needs: Object.entries(task.needs.conditions).map(([key, on]) => ({ task: key, on })),
      needsMode: task.needs.mode,
      pool: task.pool,
      runs: task.subWorkflow ? versionOf(task.subWorkflow, latest) : null,
    },
  }));
  planned.sort(
    (a, b) =>
      Number(a.isFinal) - Number(b.isFinal) ||
      a.planned.level - b.planned.level ||
      b.planned.rank - a.planned.rank ||
      a.position - b.position,
  );
  return planned.map((each) => each.planned);
}

function versionOf({ workflow, version }: SubWorkflowSpec, latest: ReadonlyMap<string, number>): PlannedTask['runs'] {
  const pinned = version ?? latest.get(workflow);
  return pinned === undefined ? null : { workflow, version: pinned };
}
