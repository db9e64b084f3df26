import type { RandomSource } from '../seeded-random.js';

/**
 * An index drawn with probability weight / Σ weights, with the probabilities; null when all weights are 0. An index of weight 0 is never
 * drawn, not even by rounding at the end of the scale.
 */
export function chooseByWeight(weights: readonly number[], random: RandomSource): { index: number; probabilities: number[] } | null {
  let total = 0;
  for (const weight of weights) total += weight;
  if (!(total > 0)) return null;
  let rest = random.next() * total;
  let index = -1;
  for (let each = 0; each < weights.length; each += 1) {
    const weight = weights[each] as number;
    if (weight <= 0) continue;
    index = each;
    rest -= weight;
    if (rest < 0) break;
  }
  return { index, probabilities: weights.map((weight) => weight / total) };
}
