import { phrase } from '../../phrases/index.js';
import { RemovalTally } from '../filters/removal-tally.js';
import { LimitBook } from '../limits/limit-book.js';
import type { PlacementDecision, RemovedNodes } from '../placement-decision.js';
import type { SelectorName } from '../placement-policy.js';
import type { PlacementRequest } from '../placement-request.js';
import type { PlacementTurnInput } from '../placement-turn.js';
import { seededRandom, seedNumber } from '../seeded-random.js';
import { SelectorMemory } from '../selectors/selector-memory.js';
import { selectors } from '../selectors/selector-registry.js';
import { topScores } from '../selectors/top-scores.js';
import { findCandidates } from './find-candidates.js';
import { explainLimits } from './limit-wait.js';
import type { RequestShape } from './request-shape.js';
import { ShapeBook, type ShapeLookup } from './shape-book.js';
import { explainWait, invalidLabelsReason, noWeightReason, type WaitReason } from './wait-reason.js';
import { reserveOnWorkingNode, toWorkingNodes, type WorkingNode } from './working-node.js';

export type WaitOutcome = WaitReason & { removed: RemovedNodes[] };
export interface Chosen {
  node: WorkingNode;
  decision: PlacementDecision;
}

/** The nodes left to choose from, and who was removed by what. */
export interface Candidates {
  candidates: WorkingNode[];
  removed: RemovedNodes[];
}

/** One turn's nodes, shapes and selector memory, and the two steps that all its decisions share: finding candidates and choosing one. */
export class TurnDecider {
  readonly memory: SelectorMemory;
  readonly nodes: readonly WorkingNode[];
  private readonly shapes: ShapeBook;
  private readonly limits: LimitBook;
  private readonly seed: number;

  constructor(private readonly input: PlacementTurnInput) {
    this.nodes = toWorkingNodes(input.nodes, input.prefetched);
    this.shapes = new ShapeBook(this.nodes);
    this.limits = new LimitBook(input.limits ?? [], input.nowMs, input.ageingSeconds);
    this.memory = new SelectorMemory(input.selectorState);
    this.seed = seedNumber(input.seed);
  }

  shapeOf(key: string, request: PlacementRequest): ShapeLookup {
    return this.shapes.shapeOf(key, request);
  }

  /** Places the request where it has room now if its limits let it pass, or says why it waits. */
  place(key: string, request: PlacementRequest, ordinal: number): Chosen | { wait: WaitOutcome } {
    const found = this.shapeOf(key, request);
    if (!found.ok) return { wait: { ...invalidLabelsReason(request.labels, found.error), removed: [] } };
    const { candidates, removed } = findCandidates(found.shape);
    if (candidates.length === 0) return { wait: { ...explainWait(this.nodes, found.shape.filterRequest), removed } };
    const obstacles = this.limits.obstaclesFor(request);
    if (obstacles.length > 0) {
      this.limits.keepFor(request, obstacles);
      return { wait: { ...explainLimits(obstacles), removed } };
    }
    const chosen = this.choose(request, found.shape, { candidates, removed }, ordinal);
    if (chosen === null) return { wait: withoutWeight(this.input.policy.selector, candidates, removed) };
    reserveOnWorkingNode(chosen.node, request);
    this.limits.take(request);
    return chosen;
  }

  /** Lets the pool's selector choose, and takes nothing of the node yet; null when it gives no candidate a weight. */
  choose(request: PlacementRequest, shape: RequestShape, { candidates, removed }: Candidates, ordinal: number): Chosen | null {
    const { policy } = this.input;
    const selection = selectors[policy.selector].select({
      policy,
      request,
      candidates,
      eligibility: shape.eligibility,
      random: seededRandom(this.seed, ordinal),
      memory: this.memory,
    });
    if (selection === null) return null;
    const node = candidates[selection.chosenIndex] as WorkingNode;
    const scores = topScores(candidates, selection);
    const decision = { ordinal, selector: policy.selector, candidates: candidates.length, removed, scores, chosenNodeId: node.snapshot.id };
    return { node, decision };
  }
}

/** The candidates count as removed by the selector, so that the removed are all nodes in every wait. */
function withoutWeight(selector: SelectorName, candidates: readonly WorkingNode[], removed: RemovedNodes[]): WaitOutcome {
  const tally = new RemovalTally();
  for (const node of candidates) tally.count('selector', node, () => phrase('removed-no-weight', { selector }));
  return { ...noWeightReason(selector, candidates), removed: [...removed, ...tally.list()] };
}
