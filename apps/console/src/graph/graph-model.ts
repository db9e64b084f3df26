import type { DagTask as CoreDagTask, NeedCondition, Needs, TaskRunState } from '@medley/core';

/** A task as graphs draw it. `note` is its second line: kind, node, duration. */
export interface GraphTask {
  key: string;
  kind: string;
  needs: Needs;
  /** Runs when all others have ended. */
  isFinal?: boolean;
  /** Runs once for each item of a list. */
  isMapped?: boolean;
  /** Is repeated until a condition holds. */
  isLooped?: boolean;
  state?: TaskRunState;
  note?: string;
  /** Shown on hover, e.g. why it waits. */
  hint?: string;
}

export interface GraphEdge {
  from: string;
  to: string;
  on: NeedCondition;
}

export interface Point {
  x: number;
  y: number;
}

/** Places of nodes by their upper left corner, in pixels at zoom 1. */
export interface GraphLayout {
  positions: ReadonlyMap<string, Point>;
  width: number;
  height: number;
  /** Columns to the right, or layers downwards. */
  direction: 'right' | 'down';
}

export const nodeWidth = 168;
export const nodeHeight = 44;

/** Graphs above this size are drawn on a canvas. */
export const canvasThreshold = 300;

/** Edges between tasks that exist. */
export function edgesOf(tasks: readonly GraphTask[]): GraphEdge[] {
  const known = new Set(tasks.map((task) => task.key));
  return tasks.flatMap((task) =>
    Object.entries(task.needs.conditions).flatMap(([from, on]) => (known.has(from) ? [{ from, to: task.key, on }] : [])),
  );
}

/** Edges that only order a drawing: final tasks stand behind all that nothing else follows. */
export function orderOf(tasks: readonly GraphTask[]): Pick<GraphEdge, 'from' | 'to'>[] {
  const finals = tasks.filter(({ isFinal, needs }) => isFinal && Object.keys(needs.conditions).length === 0);
  if (finals.length === 0) return [];
  const followed = new Set(tasks.filter((task) => !task.isFinal).flatMap(({ needs }) => Object.keys(needs.conditions)));
  const last = tasks.filter(({ key, isFinal }) => !isFinal && !followed.has(key));
  return finals.flatMap(({ key: to }) => last.map(({ key: from }) => ({ from, to })));
}

/** Changes exactly when the graph has to be laid out anew; states are not part of it. */
export function structureKey(tasks: readonly GraphTask[]): string {
  return tasks.map((task) => `${task.key}${task.isFinal ? '!' : ''}<${edgesInto(task)}`).join(';');
}

/** With the label of an edge, which takes room. */
function edgesInto({ needs }: GraphTask): string {
  return Object.entries(needs.conditions)
    .map(([from, on]) => (on === 'succeeded' ? from : `${from}:${on}`))
    .join(',');
}

export function asCoreTasks(tasks: readonly GraphTask[]): CoreDagTask[] {
  return tasks.map(({ key, needs, isFinal }) => ({ key, needs, isFinal }));
}
