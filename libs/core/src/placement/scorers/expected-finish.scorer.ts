import type { PlacementRequest } from '../placement-request.js';
import { resourcesFit } from '../resources.js';
import type { WorkingNode } from '../turn/working-node.js';

/** Runtime on a node of speed 1 that is assumed for a task class nothing is known of. */
export const unknownExpectedSeconds = 10;

/** Expected seconds of work on a node; infinite at speed 0. */
export function expectedRunSeconds(expectedSeconds: number | null, speed: number): number {
  return speed > 0 ? (expectedSeconds ?? unknownExpectedSeconds) / speed : Number.POSITIVE_INFINITY;
}

/**
 * Seconds until the node can start the request: 0 when it fits now, which late binding makes the usual case, else until the first of its
 * attempts is expected to end. What that attempt frees is not known here; it is a lower bound.
 */
export function freeAfterSeconds(node: WorkingNode, request: Pick<PlacementRequest, 'resources'>): number {
  const fitsNow = node.heldAttempts < node.snapshot.maxAttempts && resourcesFit(request.resources, node.free);
  return fitsNow || node.busyUntilSeconds.length === 0 ? 0 : Math.max(0, Math.min(...node.busyUntilSeconds));
}

/** Expected finish = free-at + learned runtime / speed, in seconds from now. */
export function expectedFinishSeconds(node: WorkingNode, request: Pick<PlacementRequest, 'resources' | 'expectedSeconds'>): number {
  return freeAfterSeconds(node, request) + expectedRunSeconds(request.expectedSeconds, node.snapshot.performance);
}
