import type { PoolPolicy, PoolView } from '@medley/contracts';
import { query, type Stack, waitFor } from '@medley/testing';

export interface NodeWish {
  name: string;
  declaredSpeed: number | null;
  /** Upper bound of what the node offers; null for all the machine has. */
  cpuMillis: number | null;
  env?: NodeJS.ProcessEnv;
}

/** Starts agents and waits until all are online and have measured their performance: the measurement would disturb what follows. */
export async function startNodes(stack: Stack, wishes: readonly NodeWish[]): Promise<void> {
  for (const { name, declaredSpeed, cpuMillis, env } of wishes) {
    await stack.addAgent({ name, declaredSpeed, capacityCap: cpuMillis === null ? null : { cpuMillis }, env });
  }
  const ready = `select count(*)::int as count from nodes where state = 'online' and measured is not null`;
  await waitFor(async () => (await query<{ count: number }>(stack.databaseUrl, ready))[0]?.count === wishes.length, {
    timeoutMs: 120_000,
    pollMs: 200,
    describe: () => `${wishes.length} nodes to be online and measured\n${stack.agents.map((agent) => agent.output).join('\n')}`,
  });
}

/** Sets the policy of the pool that nodes join by default. */
export async function usePolicy(stack: Stack, policy: PoolPolicy): Promise<void> {
  const pools = await stack.admin.get<{ items: PoolView[] }>('/pools');
  const pool = pools.items.find((each) => each.name === 'default');
  if (pool === undefined) throw new Error('There is no pool named default');
  await stack.admin.patch(`/pools/${pool.id}`, { policy });
}
