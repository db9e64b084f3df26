import dagre from '@dagrejs/dagre';
import { edgesOf, type GraphLayout, type GraphTask, nodeHeight, nodeWidth, type Point } from './graph-model.js';
import { levelLayout } from './level-layout.js';

/** dagre's crossing reduction grows steeply with edges; above this the level layout draws nearly as well in a blink. */
const maxDagreEdges = 600;
const maxDagreTasks = 160;

/** Places for a graph: carefully for small ones, by levels for large ones. */
export function layoutGraph(tasks: readonly GraphTask[]): GraphLayout {
  const edges = edgesOf(tasks);
  if (tasks.length > maxDagreTasks || edges.length > maxDagreEdges) return levelLayout(tasks);
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 44, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const task of tasks) graph.setNode(task.key, { width: nodeWidth, height: nodeHeight });
  for (const edge of edges) graph.setEdge(edge.from, edge.to);
  dagre.layout(graph);
  const positions = new Map<string, Point>();
  for (const task of tasks) {
    const { x, y } = graph.node(task.key) as Point;
    positions.set(task.key, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 });
  }
  const size = graph.graph() as { width?: number; height?: number };
  return { positions, width: size.width ?? 0, height: size.height ?? 0, direction: 'right' };
}
