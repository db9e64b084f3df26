import type { AuditEntity } from '@medley/contracts';
import { type Sql, uuidv7 } from '@medley/database';
import type { Caller } from '../access/caller.js';

/** The caller with the id of its request, which ties what was done to each to the event of the whole. */
export type RequestingCaller = Pick<Caller, 'userId' | 'name'> & { requestId: string };

/** One of the things that a call for many has changed. Both sides hold what differs only. */
export interface ChangedThing {
  id: string;
  name: string;
  projectId: string | null;
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

const BATCH = 500;

/**
 * Writes each of many changed things into the audit as the call for a single one would (`action`), in the transaction that changes them; the time of each is the
 * beginning of that. By which credential it was asked for is told by the event of the whole.
 */
export async function recordChanges(
  sql: Sql,
  { userId, name, requestId }: RequestingCaller,
  { action, entity }: { action: string; entity: AuditEntity },
  changes: readonly ChangedThing[],
): Promise<void> {
  for (let begin = 0; begin < changes.length; begin += BATCH) {
    const batch = changes.slice(begin, begin + BATCH);
    await sql.query(
      `insert into audit_events (id, at, action, actor_kind, user_id, actor_name, project_id, entity_type, entity_id, entity_name, before, after, outcome, request_id, finished_at)
       select e.id, now(), $1, 'user', $2, $3, e.project_id, $4, e.thing_id, e.name, e.before::jsonb, e.after::jsonb, 'succeeded', $5, clock_timestamp()
       from unnest($6::uuid[], $7::uuid[], $8::text[], $9::uuid[], $10::text[], $11::text[]) as e(id, thing_id, name, project_id, before, after)`,
      [
        ...[action, userId, name, entity, requestId, batch.map(() => uuidv7()), batch.map(({ id }) => id)],
        ...[batch.map((thing) => thing.name), batch.map(({ projectId }) => projectId)],
        ...[batch.map(({ before }) => JSON.stringify(before)), batch.map(({ after }) => JSON.stringify(after))],
      ],
    );
  }
}
