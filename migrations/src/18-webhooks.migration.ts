import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks: the address and the keys of a schedule that is called, and what arrived there. */
export class Webhooks1764600000018 implements MigrationInterface {
  readonly name = 'Webhooks1764600000018';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [runs, webhooks]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

const runs = `
alter table runs drop constraint runs_trigger_check;
alter table runs add constraint runs_trigger_check check (trigger in ('manual', 'schedule', 'rerun', 'backfill', 'webhook'));
`;

// An id is accepted once per schedule, whichever server it reaches; one that was refused may come again.
const webhooks = `
create table webhooks (
  schedule_id uuid primary key references schedules,
  address text not null unique,
  sealed_key bytea not null,
  key_at timestamptz not null default clock_timestamp(),
  previous_key bytea,
  previous_until timestamptz,
  window_at timestamptz not null default clock_timestamp(),
  window_count int not null default 0
) with (fillfactor = 70);
create table webhook_deliveries (
  id uuid primary key,
  schedule_id uuid not null references schedules,
  delivery_id text,
  outcome text not null check (outcome in ('accepted', 'refused')),
  code text,
  detail text,
  explanation jsonb,
  run_id uuid,
  repeats int not null default 0,
  bytes int not null,
  sent_at timestamptz,
  received_at timestamptz not null default clock_timestamp(),
  source text
);
create unique index webhook_deliveries_accepted on webhook_deliveries (schedule_id, delivery_id) where outcome = 'accepted';
create index webhook_deliveries_received on webhook_deliveries (received_at);
create index webhook_deliveries_schedule on webhook_deliveries (schedule_id, id desc);
`;
