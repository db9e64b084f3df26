import type { PlacementPolicy, SelectorName } from '../placement-policy.js';
import type { PlacementRequest } from '../placement-request.js';
import type { RandomSource } from '../seeded-random.js';
import type { WorkingNode } from '../turn/working-node.js';
import type { SelectorMemory } from './selector-memory.js';

/** The pool's nodes that match a request's labels and runtime, full or not, in service or not. */
export interface EligibilityClass {
  key: string;
  members: readonly WorkingNode[];
}

export interface SelectionContext {
  policy: PlacementPolicy;
  request: PlacementRequest;
  /** In id order, at least one, each able to take the request now. */
  candidates: readonly WorkingNode[];
  eligibility: EligibilityClass;
  random: RandomSource;
  memory: SelectorMemory;
}

/** The choice and what it was made from; `weights` and `values` run parallel to the candidates. */
export interface Selection {
  chosenIndex: number;
  weights: readonly number[];
  values: readonly number[];
  valueName: 'probability' | 'score';
  best: 'highest' | 'lowest';
}

/** A way to choose one of the candidates. Null means that none may be chosen because no candidate has a weight. */
export interface Selector {
  name: SelectorName;
  select(context: SelectionContext): Selection | null;
}
