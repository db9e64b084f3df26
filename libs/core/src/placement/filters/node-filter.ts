import type { Phrase } from '../../phrases/index.js';
import type { LabelExpression } from '../labels/label-expression.js';
import type { Resources } from '../resources.js';
import type { WorkingNode } from '../turn/working-node.js';
import type { Obstacle } from '../wait-values.js';

/** What the filters need to know of a request; the same for all requests of one shape. */
export interface FilterRequest {
  resources: Resources;
  labels: LabelExpression | null;
  runtime: string | null;
  /** Its task is given secrets. */
  needsMasking?: boolean;
  /** Its task keeps or fetches working files. */
  needsFiles?: boolean;
}

/**
 * permanent: no change on the node short of reconfiguring it would let it pass; standing: fixed for the turn, an operator or a heartbeat
 * may change it; momentary: passes again when something ends.
 */
export type FilterDuration = 'permanent' | 'standing' | 'momentary';

/** One reason why a node may not get a request. Pure, cheap, and able to say why. */
export interface NodeFilter {
  name: string;
  duration: FilterDuration;
  rejects(node: WorkingNode, request: FilterRequest): boolean;
  /** For all nodes it removed together, of which one is `first`. */
  summary(request: FilterRequest, first: WorkingNode): Phrase;
  /** For one node it rejects; reads on after the node's name: "node-a is draining". */
  detail(node: WorkingNode, request: FilterRequest): string;
  /** The same for programs, and for readers of other languages. */
  obstacle(node: WorkingNode, request: FilterRequest): Obstacle;
}
