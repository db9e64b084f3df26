import { RemovalTally } from '../filters/removal-tally.js';
import type { Placement, PlacementDecision, RemovedNodes, Wait } from '../placement-decision.js';
import type { SelectorName } from '../placement-policy.js';
import type { PlacementRequest } from '../placement-request.js';
import type { PlacementTurnInput, PlacementTurnResult } from '../placement-turn.js';
import { seededRandom, seedNumber } from '../seeded-random.js';
import { SelectorMemory } from '../selectors/selector-memory.js';
import { selectors } from '../selectors/selector-registry.js';
import { topScores } from '../selectors/top-scores.js';
import { findCandidates } from './find-candidates.js';
import { inPlacementOrder } from './placement-order.js';
import { shapeKey } from './request-shape.js';
import { ShapeBook } from './shape-book.js';
import { explainWait, invalidLabelsReason, noWeightReason, type WaitReason } from './wait-reason.js';
import { reserveOnWorkingNode, toWorkingNodes, type WorkingNode } from './working-node.js';

type WaitOutcome = WaitReason & { removed: RemovedNodes[] };
type Outcome = { node: WorkingNode; decision: PlacementDecision } | { wait: WaitOutcome };

/**
 * Decides one turn over one pool: requests in order of priority, rank and age, each seeing the reservations of those before it. A function of
 * its input alone, which it does not change; the same input gives the identical result. A request that finds no node never holds up one of
 * another shape; requests of its own shape share its reason.
 */
export function placeTurn(input: PlacementTurnInput): PlacementTurnResult {
  const turn = new PlacementTurn(input);
  const placements: Placement[] = [];
  const waits: Wait[] = [];
  const waitingShapes = new Map<string, WaitOutcome>();
  for (const request of inPlacementOrder(input.requests)) {
    if (placements.length >= input.maxDecisions) break;
    const key = shapeKey(request);
    const known = waitingShapes.get(key);
    const outcome = known === undefined ? turn.decide(key, request, placements.length) : { wait: known };
    if ('wait' in outcome) {
      waitingShapes.set(key, outcome.wait);
      waits.push({ taskRunId: request.taskRunId, ...outcome.wait });
    } else {
      placements.push({ taskRunId: request.taskRunId, nodeId: outcome.node.snapshot.id, decision: outcome.decision });
    }
  }
  return { placements, waits, selectorState: turn.memory.after() };
}

class PlacementTurn {
  readonly memory: SelectorMemory;
  private readonly nodes: WorkingNode[];
  private readonly shapes: ShapeBook;
  private readonly seed: number;

  constructor(private readonly input: PlacementTurnInput) {
    this.nodes = toWorkingNodes(input.nodes);
    this.shapes = new ShapeBook(this.nodes);
    this.memory = new SelectorMemory(input.selectorState);
    this.seed = seedNumber(input.seed);
  }

  decide(key: string, request: PlacementRequest, ordinal: number): Outcome {
    const found = this.shapes.shapeOf(key, request);
    if (!found.ok) return { wait: { ...invalidLabelsReason(request.labels, found.error), removed: [] } };
    const { candidates, removed } = findCandidates(found.shape);
    if (candidates.length === 0) return { wait: { ...explainWait(this.nodes, found.shape.filterRequest), removed } };
    const { policy } = this.input;
    const selection = selectors[policy.selector].select({
      policy,
      request,
      candidates,
      eligibility: found.shape.eligibility,
      random: seededRandom(this.seed, ordinal),
      memory: this.memory,
    });
    if (selection === null) return { wait: withoutWeight(policy.selector, candidates, removed) };
    const node = candidates[selection.chosenIndex] as WorkingNode;
    const scores = topScores(candidates, selection);
    reserveOnWorkingNode(node, request);
    const decision = { ordinal, selector: policy.selector, candidates: candidates.length, removed, scores, chosenNodeId: node.snapshot.id };
    return { node, decision };
  }
}

/** The candidates count as removed by the selector, so that the removed are all nodes in every wait. */
function withoutWeight(selector: SelectorName, candidates: readonly WorkingNode[], removed: RemovedNodes[]): WaitOutcome {
  const tally = new RemovalTally();
  for (const node of candidates) tally.count('selector', node, () => `${selector} gives no weight`);
  return { ...noWeightReason(selector, candidates), removed: [...removed, ...tally.list()] };
}
