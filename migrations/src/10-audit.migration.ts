import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who changed what. */
export class Audit1764600000010 implements MigrationInterface {
  name = 'Audit1764600000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(events);
  }

  async down(): Promise<void> {
    throw new Error('What was recorded would be lost: restore a backup instead.');
  }
}

// By id, which begins with the time: an event is found by its id alone, and a month that is over is dropped as one table. No foreign keys, since an event
// outlives what it tells of. `before` and `after` are the only columns that grow, and are written twice at most.
const events = `
create table audit_events (
  id uuid not null,
  at timestamptz not null default clock_timestamp(),
  action text not null,
  actor_kind text not null check (actor_kind in ('user', 'agent', 'anonymous')),
  user_id uuid,
  actor_name text,
  via text check (via in ('session', 'token')),
  credential_id uuid,
  credential_name text,
  project_id uuid,
  entity_type text not null,
  entity_id uuid,
  entity_name text,
  before jsonb,
  after jsonb,
  outcome text not null default 'unknown' check (outcome in ('succeeded', 'refused', 'failed', 'unknown')),
  code text,
  request_id text not null,
  address text,
  finished_at timestamptz,
  unrecorded int not null default 0,
  primary key (id)
) partition by range (id);
create table audit_events_rest partition of audit_events default;
create index audit_events_project on audit_events (project_id, id) where project_id is not null;
create index audit_events_user on audit_events (user_id, id) where user_id is not null;
create index audit_events_entity on audit_events (entity_id, id) where entity_id is not null;
create index audit_events_action on audit_events (action, id);
`;
