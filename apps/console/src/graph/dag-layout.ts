import dagre from '@dagrejs/dagre';
import type { Size } from './canvas-viewport.js';
import { edgesOf, type GraphLayout, type GraphTask, nodeHeight, nodeWidth, orderOf, type Point } from './graph-model.js';
import { levelLayout } from './level-layout.js';

/** dagre's crossing reduction grows steeply with edges; above this the level layout draws nearly as well in a blink. */
const maxDagreEdges = 600;
const maxDagreTasks = 160;
/** Room for the word on an edge that is not followed on success, so that it covers neither tasks nor the whole of a short edge. */
const labelSize = { width: 64, height: 24 };
/** How much larger a drawing downwards must come out before it is worth leaving the usual direction. */
const worthTurning = 1.2;

/** Places for a graph: carefully for small ones, in the direction that the pane shows larger; by levels for large ones. */
export function layoutGraph(tasks: readonly GraphTask[], pane?: Size): GraphLayout {
  const edges = edgesOf(tasks);
  if (tasks.length > maxDagreTasks || edges.length > maxDagreEdges) return levelLayout(tasks);
  const right = dagreLayout(tasks, 'right');
  if (pane === undefined || scaleIn(right, pane) >= 1) return right;
  const down = dagreLayout(tasks, 'down');
  return scaleIn(down, pane) > scaleIn(right, pane) * worthTurning ? down : right;
}

function scaleIn(layout: GraphLayout, pane: Size): number {
  return Math.min(1, pane.width / layout.width, pane.height / layout.height);
}

function dagreLayout(tasks: readonly GraphTask[], direction: GraphLayout['direction']): GraphLayout {
  const graph = new dagre.graphlib.Graph();
  const rankdir = direction === 'right' ? 'LR' : 'TB';
  graph.setGraph({ rankdir, nodesep: 16, ranksep: 44, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const task of tasks) graph.setNode(task.key, { width: nodeWidth, height: nodeHeight });
  for (const edge of edgesOf(tasks)) graph.setEdge(edge.from, edge.to, edge.on === 'succeeded' ? {} : { ...labelSize, labelpos: 'c' });
  for (const edge of orderOf(tasks)) graph.setEdge(edge.from, edge.to);
  dagre.layout(graph);
  const positions = new Map<string, Point>();
  for (const task of tasks) {
    const { x, y } = graph.node(task.key) as Point;
    positions.set(task.key, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 });
  }
  const size = graph.graph() as { width?: number; height?: number };
  return inFileOrder({ positions, width: size.width ?? 0, height: size.height ?? 0, direction }, tasks);
}

/** A layout and its mirror image cross as often: of the two this is the one that has the tasks of a level in the order of the file. */
function inFileOrder(layout: GraphLayout, tasks: readonly GraphTask[]): GraphLayout {
  const isRight = layout.direction === 'right';
  const lastOfLevel = new Map<number, number>();
  let ordered = 0;
  for (const task of tasks) {
    const { x, y } = layout.positions.get(task.key)!;
    const [level, place] = isRight ? [x, y] : [y, x];
    const last = lastOfLevel.get(level);
    if (last !== undefined) ordered += Math.sign(place - last);
    lastOfLevel.set(level, place);
  }
  if (ordered >= 0) return layout;
  const mirrored = ({ x, y }: Point): Point =>
    isRight ? { x, y: layout.height - y - nodeHeight } : { x: layout.width - x - nodeWidth, y };
  return { ...layout, positions: new Map([...layout.positions].map(([key, at]) => [key, mirrored(at)])) };
}
