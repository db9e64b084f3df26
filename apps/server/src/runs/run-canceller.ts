import type { Sql } from '@medley/database';

/**
 * Whether an audited call has cancelled its run `r`. The outcome of one is written after its answer, and never if the server is killed in between: then the state of the run
 * tells.
 */
export const hasCancelled = (event: string): string =>
  `${event}.action = 'cancelRun' and (${event}.outcome = 'succeeded' or (${event}.outcome = 'unknown' and r.state in ('cancelling', 'cancelled')))`;

/** The same of a run that was paused or resumed. */
export const hasSteered = (event: string, action: 'pauseRun' | 'resumeRun'): string =>
  `${event}.action = '${action}' and ${event}.outcome in ('succeeded', 'unknown')`;

/** The name of who paused a run last; null when the audit does not know. */
export async function readPauser(sql: Sql, runId: string): Promise<string | null> {
  const [event] = await sql.query<{ actor_name: string | null }>(
    `select e.actor_name from audit_events e where e.entity_id = $1 and ${hasSteered('e', 'pauseRun')} order by e.id desc limit 1`,
    [runId],
  );
  return event?.actor_name ?? null;
}

/** The name of who cancelled a run first; null when the audit does not know, e.g. any more. */
export async function readCanceller(sql: Sql, runId: string): Promise<string | null> {
  const [event] = await sql.query<{ actor_name: string | null }>(
    `select e.actor_name from audit_events e join runs r on r.id = e.entity_id where e.entity_id = $1 and ${hasCancelled('e')} order by e.id limit 1`,
    [runId],
  );
  return event?.actor_name ?? null;
}
