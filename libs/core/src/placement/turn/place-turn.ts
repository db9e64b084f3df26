import type { Placement, Wait } from '../placement-decision.js';
import type { PlacementRequest } from '../placement-request.js';
import type { PlacementTurnInput, PlacementTurnResult } from '../placement-turn.js';
import { movePrefetched } from './move-prefetched.js';
import { inPlacementOrder } from './placement-order.js';
import { planPrefetch } from './plan-prefetch.js';
import { shapeKey } from './request-shape.js';
import { TurnBudget } from './turn-budget.js';
import { type Chosen, TurnDecider, type WaitOutcome } from './turn-decider.js';

/**
 * Decides one turn over one pool: requests in order of aged priority, rank and age, each seeing the reservations and the limits taken by those before it. What room is left then goes
 * to prefetched attempts that wait elsewhere, and of the requests that found none, short ones are sent ahead to nodes that are about to have some. A function
 * of its input alone, which it does not change; the same input gives the identical result. A request that finds no node never holds up one of another
 * shape; requests of its own shape share its reason. `isTimeOver` may end the turn after its first decision: what was decided is then the beginning of what
 * would have been.
 */
export function placeTurn(input: PlacementTurnInput, isTimeOver: () => boolean = () => false): PlacementTurnResult {
  const budget = new TurnBudget(input.maxDecisions, isTimeOver);
  const decider = new TurnDecider(input);
  const { placements, waits, waiting } = placeRequests(decider, input, budget);
  const moves = movePrefetched(decider, input, placements.length, budget);
  const prefetches = planPrefetch(decider, input, waiting, placements.length + moves.length, budget);
  const sentAhead = new Set(prefetches.map(({ taskRunId }) => taskRunId));
  return {
    placements,
    moves,
    prefetches,
    waits: waits.filter(({ taskRunId }) => !sentAhead.has(taskRunId)),
    selectorState: decider.memory.after(),
    ...(budget.endedEarly ? { endedEarly: true } : {}),
  };
}

/** `waiting`: those that wait for nothing but room. */
function placeRequests(decider: TurnDecider, { requests, ageingSeconds }: PlacementTurnInput, budget: TurnBudget) {
  const placements: Placement[] = [];
  const waits: Wait[] = [];
  const waiting: PlacementRequest[] = [];
  const waitingShapes = new Map<string, WaitOutcome>();
  for (const request of inPlacementOrder(requests, ageingSeconds)) {
    if (budget.isSpent(placements.length)) break;
    const key = shapeKey(request);
    const known = waitingShapes.get(key);
    const outcome = known === undefined ? decider.place(key, request, placements.length) : { wait: known };
    if ('wait' in outcome) {
      waitingShapes.set(key, outcome.wait);
      waits.push({ taskRunId: request.taskRunId, ...outcome.wait });
      if (outcome.wait.code === 'no-capacity') waiting.push(request);
    } else {
      placements.push(placementOf(request, outcome));
    }
  }
  return { placements, waits, waiting };
}

function placementOf({ taskRunId }: PlacementRequest, { node, decision }: Chosen): Placement {
  return { taskRunId, nodeId: node.snapshot.id, decision };
}
