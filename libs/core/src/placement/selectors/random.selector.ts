import { performanceWeights } from '../scorers/performance-weight.scorer.js';
import type { Selector } from './selector.js';
import { chooseByWeight } from './weighted-choice.js';

/** Every candidate of performance above 0 with the same probability. */
export const randomSelector: Selector = {
  name: 'random',
  select: ({ candidates, random }) => {
    const weights = performanceWeights(
      candidates.map((node) => node.snapshot.performance),
      0,
    );
    const choice = chooseByWeight(weights, random);
    return choice && { chosenIndex: choice.index, weights, values: choice.probabilities, valueName: 'probability', best: 'highest' };
  },
};
