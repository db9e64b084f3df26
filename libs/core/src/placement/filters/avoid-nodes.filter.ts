import { phrase } from '../../phrases/index.js';
import type { WorkingNode } from '../turn/working-node.js';

export const avoidNodesFilterName = 'avoid-nodes';
export const avoidNodesSummary = phrase('removed-avoided');

/** The candidates to avoid. None when avoiding them would leave nothing: a doubtful node is better than waiting. */
export function nodesToAvoid(candidates: readonly WorkingNode[], avoidNodeIds: ReadonlySet<string>): WorkingNode[] {
  if (avoidNodeIds.size === 0) return [];
  const avoided = candidates.filter((node) => avoidNodeIds.has(node.snapshot.id));
  return avoided.length === candidates.length ? [] : avoided;
}
