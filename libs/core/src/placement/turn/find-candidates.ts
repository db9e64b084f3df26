import { avoidNodesFilterName, avoidNodesSummary, nodesToAvoid } from '../filters/avoid-nodes.filter.js';
import { firstRejection, momentaryFilters } from '../filters/filter-chain.js';
import { RemovalTally } from '../filters/removal-tally.js';
import type { RemovedNodes } from '../placement-decision.js';
import type { RequestShape } from './request-shape.js';
import type { WorkingNode } from './working-node.js';

/** The nodes that can take a request of this shape at this moment of the turn, and who was removed by what. */
export function findCandidates(shape: RequestShape): { candidates: WorkingNode[]; removed: RemovedNodes[] } {
  const tally = new RemovalTally();
  const fitting: WorkingNode[] = [];
  for (const node of shape.inService) {
    const rejecting = firstRejection(momentaryFilters, node, shape.filterRequest);
    if (rejecting === undefined) fitting.push(node);
    else tally.count(rejecting.name, node, () => rejecting.summary(shape.filterRequest, node));
  }
  const avoided = new Set(nodesToAvoid(fitting, shape.avoidNodeIds));
  for (const node of avoided) tally.count(avoidNodesFilterName, node, () => avoidNodesSummary);
  const candidates = avoided.size === 0 ? fitting : fitting.filter((node) => !avoided.has(node));
  return { candidates, removed: [...shape.removed, ...tally.list()] };
}
