import type { Dag } from './dag-task.js';
import type { TaskRunStates } from './readiness.js';

export interface RerunPlan {
  /** Task keys whose succeeded task run is linked into the new run. */
  kept: string[];
  /** Task keys that run anew. */
  anew: string[];
}

/**
 * Which tasks of an ended run are run again. `failed` takes those that did not succeed and everything downstream of them, since
 * that was computed from what they left; `all` takes every task. Final tasks run again with whatever runs again. Both lists are in
 * file order.
 */
export function tasksToRerun(dag: Dag, states: TaskRunStates, mode: 'all' | 'failed'): RerunPlan {
  const keys = [...dag.tasks.keys()];
  if (mode === 'all') return { kept: [], anew: keys };
  const anew = new Set(keys.filter((key) => states.get(key) !== 'succeeded'));
  for (const key of anew) for (const child of dag.children.get(key)!) anew.add(child);
  if (anew.size > 0) for (const key of dag.finals) anew.add(key);
  return { kept: keys.filter((key) => !anew.has(key)), anew: keys.filter((key) => anew.has(key)) };
}
