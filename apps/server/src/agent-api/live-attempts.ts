import type { AttemptRef, StopOrder, StopReason } from '@medley/contracts';
import type { Sql } from '@medley/database';

interface HeldRow {
  id: string;
  fence: number;
  state: 'dispatched' | 'running' | 'stopping';
  stop_reason: StopReason | null;
  claimed_before: boolean;
}

export interface LiveComparison {
  /** Claimed, and missing from the agent's list: nobody runs them. */
  missing: string[];
  stops: StopOrder[];
}

/**
 * Compares what the agent holds with what the server wants. Only attempts claimed before `claimedBefore` (an instant of the database's clock) can be
 * missing: the list was built after the agent knew of that instant, so it names every claim granted earlier. Null: none can be.
 */
export async function compareLive(
  sql: Sql,
  nodeId: string,
  live: readonly AttemptRef[],
  claimedBefore: string | null,
): Promise<LiveComparison> {
  const held = await sql.query<HeldRow>(
    `select id, fence, state, stop_reason, coalesce(claimed_at < $2::timestamptz, false) as claimed_before
     from attempts where node_id = $1 and finished_at is null`,
    [nodeId, claimedBefore],
  );
  const onNode = new Set(live.map((ref) => ref.attemptId));
  const wanted = new Map(held.map((row) => [row.id, row]));
  const stops = live.flatMap(({ attemptId, fence }): StopOrder[] => {
    const row = wanted.get(attemptId);
    if (!row || row.fence !== fence) return [{ attemptId, fence, reason: 'superseded' }];
    return row.state === 'stopping' ? [{ attemptId, fence, reason: row.stop_reason ?? 'cancelled' }] : [];
  });
  const missing = held.filter((row) => row.state !== 'dispatched' && row.claimed_before && !onNode.has(row.id)).map((row) => row.id);
  return { missing, stops };
}
