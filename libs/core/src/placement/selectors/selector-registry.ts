import type { SelectorName } from '../placement-policy.js';
import { earliestFinishSelector } from './earliest-finish.selector.js';
import { randomSelector } from './random.selector.js';
import { resourcePickKxSelector } from './resource-pick-kx.selector.js';
import type { Selector } from './selector.js';
import { smoothWeightedRoundRobinSelector } from './smooth-weighted-round-robin.selector.js';

/** Every selector by its name; the type makes a name without a selector a compile error. */
export const selectors: Readonly<Record<SelectorName, Selector>> = {
  'resource-pick-kx': resourcePickKxSelector,
  'smooth-weighted-round-robin': smoothWeightedRoundRobinSelector,
  'earliest-finish': earliestFinishSelector,
  random: randomSelector,
};
