import { type Phrase, phrase } from '../../phrases/index.js';
import { RemovalTally } from '../filters/removal-tally.js';
import type { Placement } from '../placement-decision.js';
import type { PlacementRequest } from '../placement-request.js';
import type { PlacementTurnInput } from '../placement-turn.js';
import { addResources, resourcesFit } from '../resources.js';
import { expectedRunSeconds } from '../scorers/expected-finish.scorer.js';
import { maxBacklogSeconds } from './prefetch-limits.js';
import { type RequestShape, shapeKey } from './request-shape.js';
import type { TurnBudget } from './turn-budget.js';
import type { Candidates, TurnDecider } from './turn-decider.js';
import { addToBacklog, isShortOn, type WorkingNode } from './working-node.js';

/** Why a node may not have this request sent ahead to it. */
interface Obstacle {
  name: string;
  summary: Phrase;
}

const obstacles = {
  limits: { name: 'prefetch-limits', summary: phrase('removed-takes-limits') },
  agent: { name: 'prefetch-agent', summary: phrase('removed-takes-no-prefetch') },
  order: { name: 'prefetch-order', summary: phrase('removed-earlier-waits') },
  avoid: { name: 'avoid-nodes', summary: phrase('removed-avoided') },
  long: { name: 'prefetch-short', summary: phrase('removed-not-short') },
  backlog: { name: 'prefetch-backlog', summary: phrase('removed-backlog-full') },
  room: { name: 'prefetch-room', summary: phrase('removed-room-too-small') },
  fewest: { name: 'prefetch-fewest', summary: phrase('removed-more-waits') },
} satisfies Record<string, Obstacle>;

/**
 * Sends short requests that wait for room ahead to nodes where short attempts are about to make some, at most the policy's `prefetch` per node. In placement
 * order, and none past an earlier one: a request that cannot be sent ahead keeps the nodes it could use to itself.
 */
export function planPrefetch(
  decider: TurnDecider,
  { policy: { prefetch: depth = 0 } }: PlacementTurnInput,
  waiting: readonly PlacementRequest[],
  firstOrdinal: number,
  budget: TurnBudget,
): Placement[] {
  const prefetches: Placement[] = [];
  const awaited = new Set<WorkingNode>();
  const isOpen = (node: WorkingNode) => node.snapshot.takesPrefetch === true && !awaited.has(node) && node.backlog.attempts < depth;
  for (const request of waiting) {
    const ordinal = firstOrdinal + prefetches.length;
    if (!decider.nodes.some(isOpen) || budget.isSpent(ordinal)) break;
    const found = decider.shapeOf(shapeKey(request), request);
    if (!found.ok) continue;
    const sifted = findPrefetchCandidates(found.shape, request, awaited, depth);
    const chosen = sifted.candidates.length === 0 ? null : decider.choose(request, found.shape, sifted, ordinal);
    if (chosen === null) {
      for (const node of found.shape.inService) awaited.add(node);
      continue;
    }
    addToBacklog(chosen.node, request);
    prefetches.push({ taskRunId: request.taskRunId, nodeId: chosen.node.snapshot.id, decision: { ...chosen.decision, kind: 'prefetch' } });
  }
  return prefetches;
}

/** Of the nodes that may take it, those with the shortest backlog. */
function findPrefetchCandidates(
  shape: RequestShape,
  request: PlacementRequest,
  awaited: ReadonlySet<WorkingNode>,
  depth: number,
): Candidates {
  const tally = new RemovalTally();
  const fitting: WorkingNode[] = [];
  for (const node of shape.inService) {
    const obstacle = obstacleOn(node, shape, request, awaited, depth);
    if (obstacle === null) fitting.push(node);
    else tally.count(obstacle.name, node, () => obstacle.summary);
  }
  let fewest = Number.POSITIVE_INFINITY;
  for (const { backlog } of fitting) fewest = Math.min(fewest, backlog.attempts);
  const candidates = fitting.filter(({ backlog }) => backlog.attempts === fewest);
  for (const node of fitting)
    if (node.backlog.attempts !== fewest) tally.count(obstacles.fewest.name, node, () => obstacles.fewest.summary);
  return { candidates, removed: [...shape.removed, ...tally.list()] };
}

function obstacleOn(
  node: WorkingNode,
  { avoidNodeIds }: RequestShape,
  request: PlacementRequest,
  awaited: ReadonlySet<WorkingNode>,
  depth: number,
): Obstacle | null {
  const { snapshot, backlog, unreserved, heldAttempts, endingSoon } = node;
  if (request.takes !== undefined) return obstacles.limits;
  if (snapshot.takesPrefetch !== true) return obstacles.agent;
  if (awaited.has(node)) return obstacles.order;
  if (avoidNodeIds.has(snapshot.id)) return obstacles.avoid;
  if (!isShortOn(node, request)) return obstacles.long;
  const seconds = backlog.seconds + expectedRunSeconds(request.expectedSeconds, snapshot.performance);
  if (backlog.attempts >= depth || seconds > maxBacklogSeconds) return obstacles.backlog;
  const hasSlot = heldAttempts - endingSoon.attempts < snapshot.maxAttempts;
  return hasSlot && resourcesFit(request.resources, addResources(unreserved, endingSoon.resources)) ? null : obstacles.room;
}
