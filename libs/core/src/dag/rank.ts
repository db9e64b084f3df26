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

/** Task keys by column for drawing: each task stands one column right of the last that it needs; file order within a column. */
export function topologicalLevels(tasks: readonly DagTask[]): string[][] {
  const dag = indexDag(tasks);
  const levelOf = new Map<string, number>();
  for (const key of topologicalOrder(dag)) levelOf.set(key, levelBehindParents(dag, key, levelOf));
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
