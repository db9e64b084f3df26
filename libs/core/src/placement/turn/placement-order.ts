import type { PlacementRequest } from '../placement-request.js';

/** Priority, then rank (longest remaining path first), then age; the id makes the order total. */
export function comparePlacementOrder(left: PlacementRequest, right: PlacementRequest): number {
  return (
    right.priority - left.priority ||
    right.rank - left.rank ||
    left.readyAtMs - right.readyAtMs ||
    (left.taskRunId < right.taskRunId ? -1 : left.taskRunId > right.taskRunId ? 1 : 0)
  );
}

export function inPlacementOrder(requests: readonly PlacementRequest[]): PlacementRequest[] {
  return [...requests].sort(comparePlacementOrder);
}
