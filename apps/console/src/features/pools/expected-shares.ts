import type { PoolPolicy } from '@medley/contracts';

/**
 * The share of many equal tasks that goes to each node while all have room, by performance x: p_i = x_i^k / Σ x_j^k for
 * resource-pick-kx; proportional for smooth weighted round robin and, with equal tasks, earliest finish; uniform for random.
 */
export function expectedShares(policy: PoolPolicy, performances: readonly number[]): number[] {
  const exponent = exponentOf(policy);
  const usable = performances.map((x) => Math.max(x, 0));
  const best = Math.max(...usable, 0);
  if (best === 0) return usable.map(() => 0);
  // Relative to the best, so that large exponents do not overflow.
  const weights = usable.map((x) => (x === 0 ? 0 : exponent === 'infinity' ? Number(x === best) : (x / best) ** exponent));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function exponentOf(policy: PoolPolicy): number | 'infinity' {
  if (policy.selector === 'resource-pick-kx') return policy.k;
  return policy.selector === 'random' ? 0 : 1;
}
