import type { PlacementPolicy } from '../placement-policy.js';
import { performanceWeights } from '../scorers/performance-weight.scorer.js';
import type { Selector } from './selector.js';
import { chooseByWeight } from './weighted-choice.js';

const exponentOfThePaper = 1;

/** The exponent of a policy as a number. */
export function exponentOf(policy: PlacementPolicy): number {
  return policy.k === 'infinity' ? Number.POSITIVE_INFINITY : (policy.k ?? exponentOfThePaper);
}

/**
 * p_i = x_i^k / Σ x_j^k. k = 0 is uniform, 1 proportional to performance, infinity greedy, where equally strong nodes share the choice by
 * the seeded draw.
 */
export const resourcePickKxSelector: Selector = {
  name: 'resource-pick-kx',
  select: ({ candidates, policy, random }) => {
    const weights = performanceWeights(
      candidates.map((node) => node.snapshot.performance),
      exponentOf(policy),
    );
    const choice = chooseByWeight(weights, random);
    return choice && { chosenIndex: choice.index, weights, values: choice.probabilities, valueName: 'probability', best: 'highest' };
  },
};
