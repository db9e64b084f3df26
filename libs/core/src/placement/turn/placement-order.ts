import type { PlacementRequest } from '../placement-request.js';

/** A request gains one point of priority for each of these that it has been ready. */
export const ageingSeconds = 60;

/**
 * Priority with what waiting adds to it, up to a constant that is the same for all: `priority − ⌊ready at / step⌋` orders as `priority + minutes waited` does, and does
 * not change while time passes, so that an index can be in this order. Whatever becomes ready more than q − p steps later never comes before a request of
 * priority p, however high its own priority q: nothing starves. Without a step (turns stored by earlier versions) waiting adds nothing.
 */
export function agedPriority({ priority, readyAtMs }: Pick<PlacementRequest, 'priority' | 'readyAtMs'>, stepSeconds?: number): number {
  return stepSeconds === undefined ? priority : priority - Math.floor(readyAtMs / (stepSeconds * 1000));
}

/** Priority with its age, then rank (longest remaining path first), then age; the id makes the order total. */
export function comparePlacementOrder(left: PlacementRequest, right: PlacementRequest, stepSeconds?: number): number {
  return (
    agedPriority(right, stepSeconds) - agedPriority(left, stepSeconds) ||
    right.rank - left.rank ||
    left.readyAtMs - right.readyAtMs ||
    (left.taskRunId < right.taskRunId ? -1 : left.taskRunId > right.taskRunId ? 1 : 0)
  );
}

export function inPlacementOrder(requests: readonly PlacementRequest[], stepSeconds?: number): PlacementRequest[] {
  return [...requests].sort((left, right) => comparePlacementOrder(left, right, stepSeconds));
}
