import type { NodeSnapshot } from './node-snapshot.js';
import type { Placement, Wait } from './placement-decision.js';
import type { PlacementPolicy } from './placement-policy.js';
import type { PlacementRequest } from './placement-request.js';
import type { SelectorState } from './selectors/smooth-weights.js';

/** Everything a turn over one pool depends on. JSON-serialisable: stored, it replays to the identical result. */
export interface PlacementTurnInput {
  policy: PlacementPolicy;
  seed: string;
  /** Instant of the snapshot; the seconds in `busyUntilSeconds` count from here. */
  nowMs: number;
  nodes: NodeSnapshot[];
  selectorState: SelectorState;
  requests: PlacementRequest[];
  /** The turn ends after this many placements; requests it did not reach are in neither list of the result. */
  maxDecisions: number;
}

export interface PlacementTurnResult {
  placements: Placement[];
  waits: Wait[];
  selectorState: SelectorState;
}
