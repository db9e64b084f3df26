import { topologicalLevels } from '@medley/core';
import {
  asCoreTasks,
  edgesOf,
  type GraphEdge,
  type GraphLayout,
  type GraphTask,
  nodeHeight,
  nodeWidth,
  type Point,
} from './graph-model.js';

const columnGap = 64;
const foldGap = 20;
const rowGap = 14;
/** Sweeps over the levels that pull tasks towards their neighbours; more hardly changes the picture. */
const sweeps = 4;

/**
 * Columns by level for graphs of any size, in time proportional to their edges: within a level tasks stand near their parents
 * (barycentre), and a level with very many tasks is folded into several columns so that the drawing keeps the shape of a screen.
 */
export function levelLayout(tasks: readonly GraphTask[]): GraphLayout {
  const levels = untangled(topologicalLevels(asCoreTasks(tasks)), edgesOf(tasks));
  const rows = rowsPerColumn(tasks.length, levels);
  const positions = new Map<string, Point>();
  let x = 0;
  let height = 0;
  for (const level of levels) {
    const columns = Math.ceil(level.length / rows);
    const perColumn = Math.ceil(level.length / columns);
    for (const [index, key] of level.entries()) {
      const column = Math.floor(index / perColumn);
      const inColumn = Math.min(perColumn, level.length - column * perColumn);
      const offset = ((rows - inColumn) * (nodeHeight + rowGap)) / 2;
      positions.set(key, { x: x + column * (nodeWidth + foldGap), y: offset + (index % perColumn) * (nodeHeight + rowGap) });
    }
    x += columns * (nodeWidth + foldGap) - foldGap + columnGap;
    height = Math.max(height, rows * (nodeHeight + rowGap) - rowGap);
  }
  return { positions, width: Math.max(0, x - columnGap), height, direction: 'right' };
}

/** Rows of the tallest column: the widest level, or less where that would make a thin tower of a large graph. */
function rowsPerColumn(count: number, levels: readonly string[][]): number {
  const widest = Math.max(1, ...levels.map((level) => level.length));
  const balanced = Math.ceil(Math.sqrt((count * (nodeWidth + foldGap)) / (1.6 * (nodeHeight + rowGap))));
  return Math.min(widest, Math.max(24, balanced));
}

function untangled(levels: string[][], edges: readonly GraphEdge[]): string[][] {
  const parents = neighbours(edges, 'to', 'from');
  const children = neighbours(edges, 'from', 'to');
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const order = isDown ? levels.keys() : [...levels.keys()].reverse();
    const places = placesOf(levels);
    for (const at of order) {
      levels[at] = sortedByCentre(levels[at]!, isDown ? parents : children, places);
      for (const [index, key] of levels[at]!.entries()) places.set(key, index / levels[at]!.length);
    }
  }
  return levels;
}

function placesOf(levels: readonly string[][]): Map<string, number> {
  return new Map(levels.flatMap((level) => level.map((key, index) => [key, index / level.length] as const)));
}

function neighbours(edges: readonly GraphEdge[], of: 'from' | 'to', are: 'from' | 'to'): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const edge of edges) {
    const list = found.get(edge[of]);
    if (list === undefined) found.set(edge[of], [edge[are]]);
    else list.push(edge[are]);
  }
  return found;
}

function sortedByCentre(level: string[], beside: ReadonlyMap<string, string[]>, places: ReadonlyMap<string, number>): string[] {
  const centres = new Map(
    level.map((key) => {
      const around = beside.get(key);
      if (around === undefined) return [key, places.get(key) ?? 0] as const;
      return [key, around.reduce((sum, each) => sum + (places.get(each) ?? 0), 0) / around.length] as const;
    }),
  );
  return [...level].sort((a, b) => centres.get(a)! - centres.get(b)!);
}
