import type { RecordedTask } from './wf-instance.js';

/** What the tasks run on: equal slots on nodes of declared speeds. */
export interface Cluster {
  speeds: readonly number[];
  slotsPerNode: number;
}

/** Cores of a task as far as a node has them. */
export function coresOn(task: RecordedTask, cluster: Cluster): number {
  return Math.min(task.cores, cluster.slotsPerNode);
}

/** The longest path through the tasks in recorded seconds; parents stand before their children. */
export function criticalPathSeconds(tasks: readonly RecordedTask[]): number {
  const ends = new Map<string, number>();
  for (const task of tasks) {
    const start = Math.max(0, ...task.parents.map((parent) => ends.get(parent) as number));
    ends.set(task.id, start + task.seconds);
  }
  return Math.max(0, ...ends.values());
}

/** No schedule can be shorter: max(critical path ÷ fastest, core seconds ÷ Σ slots × speed), in recorded seconds. */
export function lowerBoundSeconds(tasks: readonly RecordedTask[], cluster: Cluster): number {
  const fastest = Math.max(...cluster.speeds);
  const capacity = cluster.speeds.reduce((sum, speed) => sum + speed * cluster.slotsPerNode, 0);
  const work = tasks.reduce((sum, task) => sum + task.seconds * coresOn(task, cluster), 0);
  return Math.max(criticalPathSeconds(tasks) / fastest, work / capacity);
}

/** The factor on recorded runtimes that makes the lower bound last `targetSeconds`; 1 when there is no work at all. */
export function scaleFor(tasks: readonly RecordedTask[], cluster: Cluster, targetSeconds: number): number {
  const bound = lowerBoundSeconds(tasks, cluster);
  return bound === 0 ? 1 : targetSeconds / bound;
}
