import { type Sql, uuidv7 } from '@medley/database';

/** One run of an action on many. */
export interface RunStep {
  /** As the call for a single run is named. */
  action: 'cancelRun' | 'rerun';
  /** The run that was cancelled, or the one that was made. */
  runId: string;
  userId: string;
  bulkId: string;
}

/**
 * Writes what an action on many runs did to one of them, in the transaction that did it; its time is the beginning of that. By which credential it was asked for is
 * told by the event of the action as a whole.
 */
export async function recordRunStep(sql: Sql, { action, runId, userId, bulkId }: RunStep): Promise<void> {
  await sql.query(
    `insert into audit_events (id, at, action, actor_kind, user_id, actor_name, project_id, entity_type, entity_id, entity_name, after, outcome, request_id, finished_at)
     select $1, now(), $2, 'user', u.id, u.name, r.project_id, 'run', r.id, w.name, jsonb_build_object('bulk', $5::text), 'succeeded', $5, clock_timestamp()
     from users u, runs r join workflows w on w.id = r.workflow_id where u.id = $3 and r.id = $4`,
    [uuidv7(), action, userId, runId, bulkId],
  );
}
