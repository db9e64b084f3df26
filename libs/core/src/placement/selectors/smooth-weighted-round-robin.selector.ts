import type { WorkingNode } from '../turn/working-node.js';
import type { Selector } from './selector.js';
import { pickSmoothly, smoothWeightOf, type WeightedNode } from './smooth-weights.js';

function toWeightedNode(node: WorkingNode): WeightedNode {
  return { id: node.snapshot.id, weight: smoothWeightOf(node.snapshot.performance) };
}

/**
 * Smooth weighted round robin over the request's eligibility class; ties go to the lower node id. Members that cannot take the request at
 * this moment neither gain nor pay in the pick and catch up later.
 */
export const smoothWeightedRoundRobinSelector: Selector = {
  name: 'smooth-weighted-round-robin',
  select: ({ candidates, eligibility, memory }) => {
    const entries = memory.smoothWeights(eligibility.key, () => eligibility.members.map(toWeightedNode));
    const weighted = candidates.map(toWeightedNode);
    const weights = weighted.map(({ id }) => entries[id]?.effectiveWeight ?? 0);
    const pick = pickSmoothly(entries, weighted);
    return pick && { chosenIndex: pick.chosenIndex, weights, values: pick.currentWeights, valueName: 'score', best: 'highest' };
  },
};
