import { AppError, type Phrase, phrase } from '@medley/core';
import type { Sql } from '@medley/database';

/** Held shared by whoever makes task runs for pools, alone by whoever removes one: without it a new task run could name a pool that is just being removed. */
export const POOL_REMOVAL_LOCK = 7_236_010;

interface PoolUse {
  name: string;
  nodes: number;
  tokens: number;
  tasks: number;
}

const usesOfPool = `
select p.name,
  (select count(*)::int from nodes n where n.pool_id = p.id and n.removed_at is null) as nodes,
  (select count(*)::int from join_tokens j
   where j.pool_id = p.id and j.revoked_at is null and j.expires_at > clock_timestamp() and j.uses < j.max_uses) as tokens,
  (select count(*)::int from runs r join task_runs t on t.run_id = r.id
   where r.finished_at is null and t.finished_at is null and t.pool_id = p.id) as tasks
from pools p where p.id = $1`;

/**
 * Marks a pool as removed; its row stays for the history that names it. The lock on the row keeps nodes from joining and join tokens from being made
 * meanwhile. Throws not-found and pool-in-use.
 */
export async function removePool(sql: Sql, id: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1)', [POOL_REMOVAL_LOCK]);
  const locked = await sql.query('select 1 from pools where id = $1 and removed_at is null for update', [id]);
  if (locked.length === 0) throw new AppError('not-found', phrase('no-such-pool'));
  const [use] = await sql.query<PoolUse>(usesOfPool, [id]);
  const reasons = reasonsToKeep(use!);
  if (reasons.length > 0) throw new AppError('pool-in-use', phrase('pool-still-has', { name: use!.name, things: reasons }));
  await sql.query('update pools set removed_at = clock_timestamp() where id = $1', [id]);
}

function reasonsToKeep({ nodes, tokens, tasks }: PoolUse): Phrase[] {
  return [
    ...(nodes > 0 ? [phrase('pool-nodes', { count: nodes })] : []),
    ...(tokens > 0 ? [phrase('pool-tokens', { count: tokens })] : []),
    ...(tasks > 0 ? [phrase('pool-tasks', { count: tasks })] : []),
  ];
}
