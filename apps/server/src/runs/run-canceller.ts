import type { Sql } from '@medley/database';

/**
 * Whether an audited call has cancelled its run `r`. The outcome of one is written after its answer, and never if the server is killed in between: then the state of the run
 * tells.
 */
export const hasCancelled = (event: string): string =>
  `${event}.action = 'cancelRun' and (${event}.outcome = 'succeeded' or (${event}.outcome = 'unknown' and r.state in ('cancelling', 'cancelled')))`;

/** The name of who cancelled a run first; null when the audit does not know, e.g. any more. */
export async function readCanceller(sql: Sql, runId: string): Promise<string | null> {
  const [event] = await sql.query<{ actor_name: string | null }>(
    `select e.actor_name from audit_events e join runs r on r.id = e.entity_id where e.entity_id = $1 and ${hasCancelled('e')} order by e.id limit 1`,
    [runId],
  );
  return event?.actor_name ?? null;
}
