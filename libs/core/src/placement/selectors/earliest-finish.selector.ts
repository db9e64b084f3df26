import { dominantShare, subtractResources } from '../resources.js';
import { expectedFinishSeconds } from '../scorers/expected-finish.scorer.js';
import type { RandomSource } from '../seeded-random.js';
import type { WorkingNode } from '../turn/working-node.js';
import type { Selector } from './selector.js';

/** Finishes that differ by less than this share are equal: floating point, not knowledge, tells them apart. */
const relativeTolerance = 1e-9;

function reservedShare({ free, snapshot: { capacity } }: WorkingNode): number {
  return dominantShare(subtractResources(capacity, free), capacity);
}

/** The indices with the smallest key. */
function smallest(indices: readonly number[], key: (index: number) => number): number[] {
  const least = Math.min(...indices.map(key));
  return indices.filter((index) => key(index) <= least);
}

/** Spreads equal finishes: the least reserved node, then the one with the fewest attempts, then by the seeded draw. */
function breakTie(tied: readonly number[], candidates: readonly WorkingNode[], random: RandomSource): number {
  const emptiest = smallest(tied, (index) => reservedShare(candidates[index] as WorkingNode));
  const idlest = smallest(emptiest, (index) => (candidates[index] as WorkingNode).heldAttempts);
  return idlest[Math.floor(random.next() * idlest.length)] as number;
}

/** The node with the earliest expected finish; its speed is its performance. */
export const earliestFinishSelector: Selector = {
  name: 'earliest-finish',
  select: ({ candidates, request, random }) => {
    const finishes = candidates.map((node) => expectedFinishSeconds(node, request));
    const earliest = Math.min(...finishes);
    if (!Number.isFinite(earliest)) return null;
    const limit = earliest * (1 + relativeTolerance);
    const tied = [...finishes.keys()].filter((index) => (finishes[index] as number) <= limit);
    return {
      chosenIndex: breakTie(tied, candidates, random),
      weights: candidates.map((node) => node.snapshot.performance),
      values: finishes,
      valueName: 'score',
      best: 'lowest',
    };
  },
};
