import type { Dag } from './dag-task.js';
import { evaluateWaiting, type TaskRunStates, type UnmetNeeds } from './readiness.js';

/** Which tasks of an ended run are run again: all, what did not succeed, or chosen ones with or without what depends on them. */
export type RerunScope = { mode: 'all' } | { mode: 'failed' } | { mode: 'from'; tasks: readonly string[]; descendants: boolean };

export interface RerunPlan {
  /** Task keys whose ended task run is linked into the new run. */
  kept: string[];
  /** Task keys that run anew. */
  anew: string[];
  /** Chosen tasks that could not run at all: what is kept does not fulfil their needs. */
  unmet: { key: string; reason: string; values: UnmetNeeds['values'] }[];
}

/**
 * Which tasks of an ended run are run again. `failed` takes those that did not succeed and everything downstream of them, since that was computed from what they left;
 * `all` takes every task; `from` takes what was chosen and keeps the end of the others, also a failure. Tasks that the ended run does not know run anew in any case, and
 * final tasks with whatever runs again. All lists are in file order.
 */
export function tasksToRerun(dag: Dag, states: TaskRunStates, scope: RerunScope): RerunPlan {
  const keys = [...dag.tasks.keys()];
  if (scope.mode === 'all') return { kept: [], anew: keys, unmet: [] };
  const chosen = scope.mode === 'from' ? scope.tasks : keys.filter((key) => states.get(key) !== 'succeeded');
  const anew = new Set([...chosen, ...keys.filter((key) => !states.has(key))]);
  if (scope.mode === 'failed' || scope.descendants)
    for (const key of anew) for (const child of dag.children.get(key) ?? []) anew.add(child);
  if (anew.size > 0) for (const key of dag.finals) anew.add(key);
  const kept = keys.filter((key) => !anew.has(key));
  return { kept, anew: keys.filter((key) => anew.has(key)), unmet: scope.mode === 'from' ? unmetOf(dag, states, kept, scope.tasks) : [] };
}

/** Everything that depends on one of these tasks, however far; one of themselves only where it depends on another. */
export function tasksBehind(dag: Dag, keys: readonly string[]): ReadonlySet<string> {
  const behind = new Set(keys.flatMap((key) => dag.children.get(key) ?? []));
  for (const key of behind) for (const child of dag.children.get(key) ?? []) behind.add(child);
  return behind;
}

function unmetOf(dag: Dag, states: TaskRunStates, kept: readonly string[], chosen: readonly string[]): RerunPlan['unmet'] {
  const left = new Set(kept);
  const begin = new Map([...dag.tasks.keys()].map((key) => [key, left.has(key) ? states.get(key)! : ('waiting' as const)]));
  return evaluateWaiting(dag, begin).flatMap((each) =>
    each.next === 'skipped' && chosen.includes(each.key) ? [{ key: each.key, reason: each.reason.text, values: each.reason.values }] : [],
  );
}
