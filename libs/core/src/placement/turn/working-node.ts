import { nodeLabels } from '../labels/node-labels.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import type { PlacementRequest } from '../placement-request.js';
import type { PrefetchedRequest } from '../placement-turn.js';
import { addResources, noResources, type Resources, resourceNames, subtractResources } from '../resources.js';
import { expectedRunSeconds } from '../scorers/expected-finish.scorer.js';
import { shortSeconds } from './prefetch-limits.js';

/** What prefetched attempts that wait on a node will take there, in attempts, resources and expected seconds. */
export interface Backlog {
  attempts: number;
  resources: Resources;
  seconds: number;
}

/** A node within a turn: the snapshot, untouched, beside what the turn's own decisions change. */
export interface WorkingNode {
  readonly snapshot: NodeSnapshot;
  readonly labels: Readonly<Record<string, string>>;
  /** What a placement may take: the unreserved less what the backlog is to get. */
  free: Resources;
  unreserved: Resources;
  heldAttempts: number;
  busyUntilSeconds: number[];
  backlog: Backlog;
  /** What held attempts that are short and not overdue give back within moments. */
  endingSoon: { attempts: number; resources: Resources };
}

export function toWorkingNode(snapshot: NodeSnapshot): WorkingNode {
  const unreserved = subtractResources(snapshot.capacity, snapshot.reserved);
  return {
    snapshot,
    labels: nodeLabels(snapshot),
    free: unreserved,
    unreserved,
    heldAttempts: snapshot.heldAttempts,
    busyUntilSeconds: [...snapshot.busyUntilSeconds],
    backlog: { attempts: 0, resources: { ...noResources }, seconds: 0 },
    endingSoon: snapshot.endingSoon ?? { attempts: 0, resources: { ...noResources } },
  };
}

/** In id order, so that no decision depends on the order in which a query returned the nodes. */
export function toWorkingNodes(nodes: readonly NodeSnapshot[], prefetched: readonly PrefetchedRequest[] = []): WorkingNode[] {
  const working = nodes.map(toWorkingNode).sort((left, right) => (left.snapshot.id < right.snapshot.id ? -1 : 1));
  const byId = new Map(working.map((node) => [node.snapshot.id, node]));
  for (const { nodeId, request } of prefetched) {
    const node = byId.get(nodeId);
    if (node) addToBacklog(node, request);
  }
  return working;
}

/** Makes the next decision of the turn see this one. */
export function reserveOnWorkingNode(node: WorkingNode, request: PlacementRequest): void {
  node.unreserved = subtractResources(node.unreserved, request.resources);
  node.free = lessPromised(node);
  node.heldAttempts += 1;
  node.busyUntilSeconds.push(expectedRunSeconds(request.expectedSeconds, node.snapshot.performance));
  if (!isShortOn(node, request)) return;
  const { attempts, resources } = node.endingSoon;
  node.endingSoon = { attempts: attempts + 1, resources: addResources(resources, request.resources) };
}

export function addToBacklog(node: WorkingNode, request: PlacementRequest): void {
  const { attempts, resources, seconds } = node.backlog;
  node.backlog = {
    attempts: attempts + 1,
    resources: addResources(resources, request.resources),
    seconds: seconds + expectedRunSeconds(request.expectedSeconds, node.snapshot.performance),
  };
  node.free = lessPromised(node);
}

export function takeFromBacklog(node: WorkingNode, request: PlacementRequest): void {
  const { attempts, resources, seconds } = node.backlog;
  node.backlog = {
    attempts: attempts - 1,
    resources: subtractResources(resources, request.resources),
    seconds: seconds - expectedRunSeconds(request.expectedSeconds, node.snapshot.performance),
  };
  node.free = lessPromised(node);
}

/** Whether the request's runtime is known to be short on this node. */
export function isShortOn(node: WorkingNode, request: Pick<PlacementRequest, 'expectedSeconds'>): boolean {
  return request.expectedSeconds !== null && expectedRunSeconds(request.expectedSeconds, node.snapshot.performance) <= shortSeconds;
}

/** A resource that is over-committed already stays so; the backlog never makes one look that way. */
function lessPromised({ unreserved, backlog }: WorkingNode): Resources {
  if (backlog.attempts === 0) return unreserved;
  const free = { ...unreserved };
  for (const name of resourceNames) if (free[name] > 0) free[name] = Math.max(0, free[name] - backlog.resources[name]);
  return free;
}
