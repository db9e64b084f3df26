import type { PoolDistribution, ShareVerdict } from '@medley/contracts';
import type { ShareRow, Shares } from './placement-shares.repository.js';

/** Below so many expected placements, or so many expected elsewhere, the normal approximation of a count does not hold. */
const LEAST_EXPECTED = 5;
/** In standard deviations; by chance one node in 370 is beyond. */
const FAR_OFF = 3;

/** What the difference between placed and expected says; `variance` is that of the number placed, the sum of p (1 - p) over the decisions. */
export function verdictOf(row: Pick<ShareRow, 'compared' | 'placed' | 'expected' | 'variance' | 'unmodelled'>): ShareVerdict {
  if (row.unmodelled > 0) return 'unmodelled';
  // Without variance (a candidate alone, or k = ∞) every decision was certain, and any difference is one.
  if (row.variance < 1e-9 && row.compared > 0) return Math.abs(row.placed - row.expected) < 0.5 ? 'as-expected' : 'differs';
  if (Math.min(row.expected, row.compared - row.expected) < LEAST_EXPECTED) return 'too-few';
  return Math.abs(row.placed - row.expected) <= FAR_OFF * Math.sqrt(row.variance) ? 'as-expected' : 'differs';
}

/** The answer from what was counted; the row without a node is that of all the others. */
export function distributionOf({ decisions, unmodelled, oldestAt, rows }: Shares, most: number): Omit<PoolDistribution, 'poolId' | 'pool'> {
  const others = rows.find(({ nodeId }) => nodeId === null);
  return {
    decisions,
    unmodelled,
    nodes: rows
      .filter((row): row is ShareRow & { nodeId: string } => row.nodeId !== null)
      .map((row) => ({ nodeId: row.nodeId, node: row.node, allPlaced: row.allPlaced, performance: row.performance, ...comparisonOf(row) })),
    others: others ? comparisonOf(others) : null,
    since: decisions >= most && oldestAt ? oldestAt.toISOString() : null,
  };
}

function comparisonOf(row: ShareRow) {
  const { compared, placed, expected, variance } = row;
  return { compared, placed, expected, deviation: Math.sqrt(variance), verdict: verdictOf(row) };
}
