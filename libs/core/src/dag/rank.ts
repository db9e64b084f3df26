import { type Dag, type DagTask, indexDag, parentsOf, topologicalOrder } from './dag-task.js';

/**
 * The longest remaining path in seconds from the start of each task to the end of the workflow, itself included (upward rank of
 * Topcuoglu et al., HEFT, without communication cost). Tasks with a higher rank are placed first.
 */
export function upwardRanks(tasks: readonly DagTask[], secondsOf: (key: string) => number): Map<string, number> {
  const dag = indexDag(tasks);
  const ranks = new Map<string, number>();
  for (const key of topologicalOrder(dag).reverse()) {
    let behind = 0;
    for (const child of dag.children.get(key)!) behind = Math.max(behind, ranks.get(child) ?? 0);
    ranks.set(key, secondsOf(key) + behind);
  }
  return ranks;
}

/**
 * Task keys by column for drawing: each task stands one column right of the last that it needs, final ones right of all others; file
 * order within a column.
 */
export function topologicalLevels(tasks: readonly DagTask[]): string[][] {
  const dag = indexDag(tasks);
  const levelOf = new Map<string, number>();
  const order = topologicalOrder(dag);
  const others = order.filter((key) => !dag.tasks.get(key)!.isFinal);
  for (const key of others) levelOf.set(key, levelBehindParents(dag, key, levelOf));
  const behindAll = 1 + others.reduce((last, key) => Math.max(last, levelOf.get(key)!), -1);
  for (const key of order) if (dag.tasks.get(key)!.isFinal) levelOf.set(key, Math.max(behindAll, levelBehindParents(dag, key, levelOf)));
  const levels: string[][] = [];
  for (const { key } of tasks) {
    const level = levelOf.get(key);
    if (level === undefined) continue;
    while (levels.length <= level) levels.push([]);
    levels[level]!.push(key);
  }
  return levels;
}

function levelBehindParents(dag: Dag, key: string, levelOf: ReadonlyMap<string, number>): number {
  let level = 0;
  for (const parent of parentsOf(dag.tasks.get(key)!)) level = Math.max(level, (levelOf.get(parent) ?? -1) + 1);
  return level;
}
