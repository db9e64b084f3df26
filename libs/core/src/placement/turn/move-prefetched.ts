import { firstRejection, turnFilters } from '../filters/filter-chain.js';
import type { Placement } from '../placement-decision.js';
import type { PlacementTurnInput } from '../placement-turn.js';
import { resourcesFit } from '../resources.js';
import { findCandidates } from './find-candidates.js';
import { comparePlacementOrder } from './placement-order.js';
import { type RequestShape, shapeKey } from './request-shape.js';
import type { TurnBudget } from './turn-budget.js';
import type { TurnDecider } from './turn-decider.js';
import { reserveOnWorkingNode, takeFromBacklog, type WorkingNode } from './working-node.js';

/**
 * Gives room that no waiting request could use to prefetched attempts which wait on another node, in placement order. One whose own node has room already
 * stays: its claim is on the way.
 */
export function movePrefetched(
  decider: TurnDecider,
  { prefetched = [], ageingSeconds }: PlacementTurnInput,
  firstOrdinal: number,
  budget: TurnBudget,
): Placement[] {
  const byId = new Map(decider.nodes.map((node) => [node.snapshot.id, node]));
  const moves: Placement[] = [];
  const withoutRoom = new Set<string>();
  const inOrder = [...prefetched].sort((left, right) => comparePlacementOrder(left.request, right.request, ageingSeconds));
  for (const { nodeId, request } of inOrder) {
    if (request.takes !== undefined) continue; // it was sent ahead before it had to take any: whatever it would take here, it starts without
    const ordinal = firstOrdinal + moves.length;
    if (budget.isSpent(ordinal)) break;
    const key = shapeKey(request);
    const found = decider.shapeOf(key, request);
    const own = byId.get(nodeId);
    if (!found.ok || withoutRoom.has(key) || (own !== undefined && canStartOn(own, found.shape))) continue;
    const sifted = findCandidates(found.shape);
    const chosen = sifted.candidates.length === 0 ? null : decider.choose(request, found.shape, sifted, ordinal);
    if (chosen === null) {
      withoutRoom.add(key);
      continue;
    }
    reserveOnWorkingNode(chosen.node, request);
    if (own) takeFromBacklog(own, request);
    moves.push({ taskRunId: request.taskRunId, nodeId: chosen.node.snapshot.id, decision: { ...chosen.decision, kind: 'move' } });
  }
  return moves;
}

/** Whether its claim would be granted at this moment, were it the first of the backlog. */
function canStartOn(node: WorkingNode, { filterRequest }: RequestShape): boolean {
  const hasRoom = node.heldAttempts < node.snapshot.maxAttempts && resourcesFit(filterRequest.resources, node.unreserved);
  return hasRoom && firstRejection(turnFilters, node, filterRequest) === undefined;
}
