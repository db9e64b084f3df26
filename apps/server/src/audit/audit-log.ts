import type { AuditActorKind, AuditEntity, AuditOutcome } from '@medley/contracts';
import type { Sql } from '@medley/database';

/** Who acts, as far as that is known when the event is written. */
export interface RecordedActor {
  kind: AuditActorKind;
  userId: string | null;
  name: string | null;
  via: 'session' | 'token' | null;
  credentialId: string | null;
}

/** What is written of a call before its handler runs. */
export interface BegunEvent {
  id: string;
  action: string;
  actor: RecordedActor;
  projectId: string | null;
  entityType: AuditEntity;
  entityId: string | null;
  entityName: string | null;
  before: object | null;
  requestId: string;
  address: string;
}

/** What is known of a call once it has ended. */
export interface EndedEvent {
  id: string;
  outcome: AuditOutcome;
  code: string | null;
  actorName: string | null;
  projectId: string | null;
  entityId: string | null;
  entityName: string | null;
  before: object | null;
  after: object | null;
  unrecorded: number;
}

const insertEvent = `insert into audit_events (id, action, actor_kind, user_id, actor_name, via, credential_id, credential_name, project_id, entity_type, entity_id,
  entity_name, before, request_id, address)
values ($1, $2, $3, $4, $5, $6, $7, case when $6 = 'token' then (select name from api_tokens where id = $7) end, $8, $9, $10, $11, $12, $13, $14)`;

/** Writes that a call begins. Its outcome is unknown until `endEvent`. */
export async function beginEvent(sql: Sql, event: BegunEvent): Promise<void> {
  const { actor } = event;
  await sql.query(insertEvent, [
    event.id,
    event.action,
    actor.kind,
    actor.userId,
    actor.name,
    actor.via,
    actor.credentialId,
    event.projectId,
    event.entityType,
    event.entityId,
    event.entityName,
    event.before && JSON.stringify(event.before),
    event.requestId,
    event.address,
  ]);
}

/** Completes an event. What was known before stays where nothing better is known now. */
export async function endEvent(sql: Sql, event: EndedEvent): Promise<void> {
  await sql.query(
    `update audit_events set outcome = $2, code = $3, actor_name = coalesce(actor_name, $4), project_id = coalesce($5, project_id),
       entity_id = coalesce($6, entity_id), entity_name = coalesce($7, entity_name), before = $8, after = $9, unrecorded = $10,
       finished_at = clock_timestamp()
     where id = $1`,
    [
      event.id,
      event.outcome,
      event.code,
      event.actorName,
      event.projectId,
      event.entityId,
      event.entityName,
      event.before && JSON.stringify(event.before),
      event.after && JSON.stringify(event.after),
      event.unrecorded,
    ],
  );
}

/** Writes what has been done in the transaction that does it, so that neither is there without the other. */
export async function recordDone(sql: Sql, event: BegunEvent & { after: object | null }): Promise<void> {
  await beginEvent(sql, event);
  await sql.query(`update audit_events set outcome = 'succeeded', after = $2, finished_at = clock_timestamp() where id = $1`, [
    event.id,
    event.after && JSON.stringify(event.after),
  ]);
}

/** Takes an event back: a refusal beyond the budget. */
export async function dropEvent(sql: Sql, id: string): Promise<void> {
  await sql.query('delete from audit_events where id = $1', [id]);
}

/** A refusal of someone who was not let through to any handler. */
export interface RefusedCall {
  id: string;
  action: string;
  actor: RecordedActor;
  projectId: string | null;
  entityType: AuditEntity;
  entityId: string | null;
  code: string;
  requestId: string;
  address: string;
  unrecorded: number;
  /** What was typed as the name of a user. People type passwords there, so that it is kept only when there is such a user. */
  typedName: string | null;
}

/** Writes a refusal in one statement. */
export async function recordRefusal(sql: Sql, call: RefusedCall): Promise<void> {
  const { actor } = call;
  await sql.query(
    `insert into audit_events (id, action, actor_kind, user_id, actor_name, via, credential_id, credential_name, project_id, entity_type, entity_id, entity_name,
       outcome, code, request_id, address, finished_at, unrecorded)
     select $1, $2, $3, $4, $5, $6, $7, case when $6 = 'token' then (select name from api_tokens where id = $7) end, $8, $9, coalesce($10, u.id), u.name,
       'refused', $11, $12, $13, clock_timestamp(), $14
     from (select 1) as one left join users u on lower(u.name) = lower($15) and u.removed_at is null`,
    [
      call.id,
      call.action,
      actor.kind,
      actor.userId,
      actor.name,
      actor.via,
      actor.credentialId,
      call.projectId,
      call.entityType,
      call.entityId,
      call.code,
      call.requestId,
      call.address,
      call.unrecorded,
      call.typedName,
    ],
  );
}
