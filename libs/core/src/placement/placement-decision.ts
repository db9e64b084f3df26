import type { ForeignPhrase } from '../phrases/index.js';
import type { SelectorName } from './placement-policy.js';
import type { WaitValues } from './wait-values.js';

/** The nodes one filter took out. A node is counted by the first filter that rejects it. */
export interface RemovedNodes {
  filter: string;
  count: number;
  /** In English. */
  reason: string;
  /** What `reason` says; absent in decisions that an older version stored. */
  phrase?: ForeignPhrase;
  /** Names of the first three. */
  examples: string[];
}

/** One candidate as the selector saw it; it has either a probability or a score. */
export interface PlacementScore {
  nodeId: string;
  nodeName: string;
  performance: number;
  /** What the selector derived from the performance: relative x^k, smooth weight, or speed. */
  weight: number;
  probability?: number;
  /** `smooth-weighted-round-robin`: current weight, highest wins. `earliest-finish`: seconds until the expected finish, lowest wins. */
  score?: number;
}

/** Why this node: stored with the placement and equal again on replay. */
export interface PlacementDecision {
  /** Position of the decision in its turn, from 0; with the turn's seed it names the random stream. */
  ordinal: number;
  selector: SelectorName;
  /** How many nodes were left to choose from. */
  candidates: number;
  removed: RemovedNodes[];
  /** The ten best; the chosen node is always among them. */
  scores: PlacementScore[];
  chosenNodeId: string;
  /** move: taken off another node's backlog. prefetch: sent ahead, without a reservation. Missing: placed. */
  kind?: 'move' | 'prefetch';
}

export interface Placement {
  taskRunId: string;
  nodeId: string;
  decision: PlacementDecision;
}

/**
 * no-node: the pool is empty. infeasible: no registered node could ever run it. no-eligible-node: those that could are out of service.
 * overloaded: those in service have too much to do. unschedulable: those in service have performance 0. no-capacity: those in service are full.
 * invalid-labels: the expression does not parse. limit-full: a node has room, and a limit has none. limit-rate: it had all the starts that its rate allows.
 */
export type WaitCode =
  | 'no-node'
  | 'infeasible'
  | 'no-eligible-node'
  | 'overloaded'
  | 'unschedulable'
  | 'no-capacity'
  | 'invalid-labels'
  | 'limit-full'
  | 'limit-rate';

export interface Wait {
  taskRunId: string;
  code: WaitCode;
  /** For people: what it waits for and what to do. */
  reason: string;
  /** The same for programs, and for readers of other languages. */
  values: WaitValues;
  removed: RemovedNodes[];
}
