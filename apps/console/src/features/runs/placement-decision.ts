import type { PlacementDecision } from '@medley/core';

/** The stored decision as far as it has the known form; what an older server stored may lack parts. */
export function readDecision(stored: Record<string, unknown>): PlacementDecision {
  const decision = stored as Partial<PlacementDecision>;
  return {
    ordinal: decision.ordinal ?? 0,
    selector: decision.selector ?? 'random',
    candidates: decision.candidates ?? 0,
    removed: decision.removed ?? [],
    scores: decision.scores ?? [],
    chosenNodeId: decision.chosenNodeId ?? '',
    kind: decision.kind,
  };
}
