import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Schedules that runs of other workflows start. `schedule_upstreams` are the needs of a schedule in the order of its rule, `upstream_arrivals` what has succeeded of workflows that some
 * schedule needs, `upstream_dates` what was decided for each date of a schedule.
 */
export class UpstreamSchedules1764600000035 implements MigrationInterface {
  readonly name = 'UpstreamSchedules1764600000035';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [needs, arrivals, counts, dates]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

// Of a schedule that needs itself the workflow is its own.
const needs = `
create table schedule_upstreams (
  schedule_id uuid not null references schedules on delete cascade,
  position int not null,
  workflow_id uuid not null references workflows on delete cascade,
  is_self boolean not null,
  primary key (schedule_id, position)
);
create index schedule_upstreams_workflow on schedule_upstreams (workflow_id);
`;

// The date is the one that the run knew as schedule.date. \`slot_at\` is the fire time to the quarter of an hour: hours of every zone begin with one, and a workflow that
// runs by the second leaves no more than four rows an hour.
const arrivals = `
create table upstream_arrivals (
  workflow_id uuid not null references workflows on delete cascade,
  schedule_id uuid not null references schedules on delete cascade,
  day date not null,
  slot_at timestamptz not null,
  is_new boolean not null default true,
  arrived_at timestamptz not null default clock_timestamp(),
  primary key (workflow_id, day, schedule_id, slot_at)
);
create index upstream_arrivals_new on upstream_arrivals (workflow_id) where is_new;
create index upstream_arrivals_slot on upstream_arrivals (workflow_id, slot_at);
`;

// A row for each enabled schedule: from which date on it counts. What had succeeded before the schedule was known to settlement is taken over from the runs, once every transaction is over
// that may have ended a run without knowing of it: those older than \`horizon\`.
const counts = `
create table upstream_counts (
  schedule_id uuid primary key references schedules on delete cascade,
  since date not null,
  horizon xid8,
  is_seeded boolean not null default false,
  needs_look boolean not null default true
);
create index upstream_counts_look on upstream_counts (schedule_id) where needs_look;
`;

const dates = `
create table upstream_dates (
  schedule_id uuid not null references schedules on delete cascade,
  day date not null,
  fire_at timestamptz not null,
  fired_at timestamptz,
  primary key (schedule_id, day)
);
create index upstream_dates_ready on upstream_dates (schedule_id, fire_at) where fired_at is null;
`;
