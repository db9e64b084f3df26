import { seededRandom as seededSource } from '@medley/core';

/** Numbers in [0, 1) that are the same for the same seed on every machine: the stream that placement draws from, as a function. */
export function seededRandom(seed: number): () => number {
  return seededSource(seed).next;
}

/** One of the items, drawn by `random`; the list must not be empty. */
export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('Nothing to pick from: the list is empty');
  return item;
}
