import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Named sets of days on which schedules of a project rest or work. */
export class Calendars1764600000029 implements MigrationInterface {
  readonly name = 'Calendars1764600000029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
    await runner.query('alter table schedules add calendar_id uuid references calendars on delete set null');
    await runner.query('create index schedules_calendar on schedules (calendar_id) where calendar_id is not null');
  }

  async down(): Promise<void> {
    throw new Error('The calendars would be lost: restore a backup instead.');
  }
}

// Days are objects of yyyy-mm-dd and the name of the day. The id is new for every calendar: with the version it says what was read.
const table = `
create table calendars (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  description text not null default '',
  weekend smallint[] not null,
  excluded jsonb not null,
  working jsonb not null,
  version int not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, name)
)`;
