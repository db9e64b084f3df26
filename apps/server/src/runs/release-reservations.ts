import type { Sql } from '@medley/database';
import { reservationsAccepting } from './state-lists.js';

/** One statement, since it runs with every finished attempt. Slots of limits go back with the reservations; those of an attempt that never began count as no start. Reservations are locked in attempt order, then the nodes' counters in node order. */
const releaseStatement = `
with freed_limits as (
  update limit_holders h set freed_at = clock_timestamp() from attempts a
  where h.attempt_id = any($1) and h.freed_at is null and a.id = h.attempt_id and a.claimed_at is not null
), unused_limits as (
  delete from limit_holders h using attempts a where h.attempt_id = any($1) and h.freed_at is null and a.id = h.attempt_id and a.claimed_at is null
), locked as (
  select attempt_id from reservations where attempt_id = any($1) and state in ${reservationsAccepting('release')} order by attempt_id for update
), released as (
  update reservations r set state = 'released', released_at = clock_timestamp() from locked l where r.attempt_id = l.attempt_id
  returning r.node_id, r.cpu_millis, r.memory_mib, r.disk_mib, r.gpu_count
), freed as (
  select node_id, sum(cpu_millis)::int as cpu_millis, sum(memory_mib)::int as memory_mib, sum(disk_mib)::int as disk_mib,
    sum(gpu_count)::int as gpu_count, count(*)::int as attempts
  from released group by node_id
), counters as (
  select node_id from node_usage where node_id in (select node_id from freed) order by node_id for update
)
update node_usage u set cpu_millis = u.cpu_millis - f.cpu_millis, memory_mib = u.memory_mib - f.memory_mib, disk_mib = u.disk_mib - f.disk_mib,
  gpu_count = u.gpu_count - f.gpu_count, attempts = u.attempts - f.attempts
from counters c join freed f on f.node_id = c.node_id where u.node_id = c.node_id
returning u.node_id`;

/**
 * Releases what these attempts hold, limits included, and takes it off their nodes' counters; what is released already stays as it is. Call it only for attempts whose
 * exit was verified, or that can never start. Returns the nodes that have room now.
 */
export async function releaseReservations(sql: Sql, attemptIds: readonly string[]): Promise<string[]> {
  if (attemptIds.length === 0) return [];
  const rows = await sql.query<{ node_id: string }>(releaseStatement, [attemptIds]);
  return rows.map((row) => row.node_id);
}
