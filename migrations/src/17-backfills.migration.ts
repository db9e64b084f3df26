import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Backfills: a schedule's fires of a range of time that are made up for, each written down before the first of them runs. */
export class Backfills1764600000017 implements MigrationInterface {
  readonly name = 'Backfills1764600000017';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [runs, backfills]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

// Runs know their backfill without a foreign key, and are counted by partial indexes that no other run is in.
const runs = `
alter table runs add column backfill_id uuid;
alter table runs drop constraint runs_trigger_check;
alter table runs add constraint runs_trigger_check check (trigger in ('manual', 'schedule', 'rerun', 'backfill'));
create unique index runs_backfill on runs (backfill_id, fire_at) where trigger = 'backfill';
create index runs_backfill_active on runs (backfill_id) where trigger = 'backfill' and finished_at is null;
create index runs_repeated_fire on runs (schedule_id, fire_at) where trigger in ('backfill', 'rerun');
`;

const backfills = `
create table backfills (
  id uuid primary key,
  project_id uuid not null references projects,
  schedule_id uuid not null references schedules,
  workflow_id uuid not null,
  workflow_version int not null,
  user_id uuid not null references users,
  from_at timestamptz not null,
  to_at timestamptz not null,
  fires text not null check (fires in ('all', 'missing', 'unsuccessful')),
  direction text not null check (direction in ('oldest-first', 'newest-first')),
  parallel int not null check (parallel > 0),
  parameters jsonb not null default '{}',
  total int not null,
  started int not null default 0,
  state text not null default 'running' check (state in ('running', 'cancelling', 'cancelled', 'finished')),
  reason jsonb,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  foreign key (workflow_id, workflow_version) references workflow_versions (workflow_id, version)
);
create index backfills_open on backfills (id) where finished_at is null;
create index backfills_schedule on backfills (schedule_id, id desc);
create table backfill_fires (
  backfill_id uuid not null references backfills on delete cascade,
  position int not null,
  fire_at timestamptz not null,
  run_id uuid,
  primary key (backfill_id, position),
  unique (backfill_id, fire_at)
);
`;
