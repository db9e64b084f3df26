import type { LimitTake } from './limits/limit-snapshot.js';
import type { Resources } from './resources.js';

/** One ready task run that wants a node. JSON-serialisable. */
export interface PlacementRequest {
  taskRunId: string;
  resources: Resources;
  /** A label expression, or null for any node. */
  labels: string | null;
  /** `python3`, `node`, `shell`, or null when the task needs none. */
  runtime: string | null;
  /** It is given secrets, which only an agent that masks them may get; missing means none. */
  needsMasking?: boolean;
  /** It keeps or fetches working files, for which its agent has to be new enough; missing means not. */
  needsFiles?: boolean;
  priority: number;
  /** Length of the longest remaining path of the DAG, in any unit that is the same for all. */
  rank: number;
  readyAtMs: number;
  /** Nodes to pass over as long as another candidate is there, e.g. where an earlier attempt failed. */
  avoidNodeIds: string[];
  /** Learned runtime on a node of speed 1, or null when unknown. */
  expectedSeconds: number | null;
  /** Limits it takes with its placement, in the order of their ids; missing means none. */
  takes?: LimitTake[];
}
