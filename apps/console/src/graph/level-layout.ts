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

/** Bands stand this far apart, so that their ends are seen. */
const bandGap = 96;
/** A drawing wider than this many times its height is folded into bands, like the lines of a text. */
const widestShape = 5;
const screenShape = 1.6;

/** The tasks of one level, in as many columns as keep it low. */
interface Block {
  keys: readonly string[];
  perColumn: number;
  width: number;
}

/**
 * Columns by level for graphs of any size, in time proportional to their edges: within a level tasks stand near their parents
 * (barycentre); a level with very many tasks is folded into several columns, and a very deep graph into several bands, so that
 * the drawing keeps the shape of a screen.
 */
export function levelLayout(tasks: readonly GraphTask[]): GraphLayout {
  const levels = untangled(topologicalLevels(asCoreTasks(tasks)), edgesOf(tasks));
  const rows = rowsPerColumn(tasks.length, levels);
  const blocks = levels.map((keys) => blockOf(keys, rows));
  const bandHeight = rows * (nodeHeight + rowGap) - rowGap;
  const bandWidth = widthOfBands(blocks, bandHeight);
  const positions = new Map<string, Point>();
  let [x, y, width] = [0, 0, 0];
  for (const block of blocks) {
    if (x > 0 && x + block.width > bandWidth) [x, y] = [0, y + bandHeight + bandGap];
    placeBlock(block, { x, y }, rows, positions);
    width = Math.max(width, x + block.width);
    x += block.width + columnGap;
  }
  return { positions, width, height: y + bandHeight, direction: 'right' };
}

function blockOf(keys: readonly string[], rows: number): Block {
  const columns = Math.ceil(keys.length / rows);
  return { keys, perColumn: Math.ceil(keys.length / columns), width: columns * (nodeWidth + foldGap) - foldGap };
}

function widthOfBands(blocks: readonly Block[], bandHeight: number): number {
  const total = blocks.reduce((sum, block) => sum + block.width + columnGap, 0);
  if (total <= bandHeight * widestShape) return Number.POSITIVE_INFINITY;
  return Math.sqrt(total * screenShape * (bandHeight + bandGap));
}

function placeBlock(block: Block, corner: Point, rows: number, positions: Map<string, Point>): void {
  for (const [index, key] of block.keys.entries()) {
    const column = Math.floor(index / block.perColumn);
    const inColumn = Math.min(block.perColumn, block.keys.length - column * block.perColumn);
    const offset = ((rows - inColumn) * (nodeHeight + rowGap)) / 2;
    const row = index % block.perColumn;
    positions.set(key, { x: corner.x + column * (nodeWidth + foldGap), y: corner.y + offset + row * (nodeHeight + rowGap) });
  }
}

/** Rows of the tallest column: the widest level, or less where that would make a thin tower of a large graph. */
function rowsPerColumn(count: number, levels: readonly string[][]): number {
  const widest = Math.max(1, ...levels.map((level) => level.length));
  const balanced = Math.ceil(Math.sqrt((count * (nodeWidth + foldGap)) / (screenShape * (nodeHeight + rowGap))));
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
