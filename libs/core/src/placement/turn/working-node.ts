import { nodeLabels } from '../labels/node-labels.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import type { PlacementRequest } from '../placement-request.js';
import { type Resources, subtractResources } from '../resources.js';
import { expectedRunSeconds } from '../scorers/expected-finish.scorer.js';

/** A node within a turn: the snapshot, untouched, beside what the turn's own placements change. */
export interface WorkingNode {
  readonly snapshot: NodeSnapshot;
  readonly labels: Readonly<Record<string, string>>;
  free: Resources;
  heldAttempts: number;
  busyUntilSeconds: number[];
}

export function toWorkingNode(snapshot: NodeSnapshot): WorkingNode {
  return {
    snapshot,
    labels: nodeLabels(snapshot),
    free: subtractResources(snapshot.capacity, snapshot.reserved),
    heldAttempts: snapshot.heldAttempts,
    busyUntilSeconds: [...snapshot.busyUntilSeconds],
  };
}

/** In id order, so that no decision depends on the order in which a query returned the nodes. */
export function toWorkingNodes(nodes: readonly NodeSnapshot[]): WorkingNode[] {
  return nodes.map(toWorkingNode).sort((left, right) => (left.snapshot.id < right.snapshot.id ? -1 : 1));
}

/** Makes the next decision of the turn see this one. */
export function reserveOnWorkingNode(node: WorkingNode, request: PlacementRequest): void {
  node.free = subtractResources(node.free, request.resources);
  node.heldAttempts += 1;
  node.busyUntilSeconds.push(expectedRunSeconds(request.expectedSeconds, node.snapshot.performance));
}
