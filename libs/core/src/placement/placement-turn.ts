import type { LimitSnapshot } from './limits/limit-snapshot.js';
import type { NodeSnapshot } from './node-snapshot.js';
import type { Placement, Wait } from './placement-decision.js';
import type { PlacementPolicy } from './placement-policy.js';
import type { PlacementRequest } from './placement-request.js';
import type { SelectorState } from './selectors/smooth-weights.js';

/** An attempt that was prefetched and is not claimed yet: it holds nothing, and may still go elsewhere. */
export interface PrefetchedRequest {
  nodeId: string;
  request: PlacementRequest;
}

/** Everything a turn over one pool depends on. JSON-serialisable: stored, it replays to the identical result. */
export interface PlacementTurnInput {
  policy: PlacementPolicy;
  seed: string;
  /** Instant of the snapshot; the seconds in `busyUntilSeconds` count from here. */
  nowMs: number;
  nodes: NodeSnapshot[];
  selectorState: SelectorState;
  requests: PlacementRequest[];
  /** What waits on nodes for room; missing means nothing does. */
  prefetched?: PrefetchedRequest[];
  /** The limits that requests take; missing means none. */
  limits?: LimitSnapshot[];
  /** Seconds of waiting that count as one point of priority; missing means that waiting adds none. */
  ageingSeconds?: number;
  /** The turn ends after this many decisions; requests it did not reach are in none of the result's lists. */
  maxDecisions: number;
}

export interface PlacementTurnResult {
  placements: Placement[];
  /** Prefetched attempts that get room on another node now. */
  moves: Placement[];
  /** Sent ahead to nodes that are about to have room; they reserve nothing. */
  prefetches: Placement[];
  waits: Wait[];
  selectorState: SelectorState;
  /** Its time was over before its requests were: it replays from its input with `maxDecisions` set to the decisions it made. */
  endedEarly?: boolean;
}
