import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs with a key: how many of a workflow with the same one may be under way at once. */
export class Concurrency1764600000026 implements MigrationInterface {
  name = 'Concurrency1764600000026';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(admissions);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table run_admissions');
  }
}

// The rows that have not ended are the key's holders and its queue; `position` is given under the key's lock and is their order. A skipped run ends with its creation.
const admissions = `
create table run_admissions (
  run_id uuid primary key references runs (id) on delete cascade,
  workflow_id uuid not null,
  key text not null,
  run_limit int not null check (run_limit >= 1),
  on_conflict text not null check (on_conflict in ('queue', 'skip', 'cancel-running')),
  position bigint generated always as identity,
  skipped boolean not null default false,
  admitted_at timestamptz,
  ended_at timestamptz
);
create index run_admissions_open on run_admissions (workflow_id, key, position) where ended_at is null;
create index run_admissions_waiting on run_admissions (workflow_id, key) where ended_at is null and admitted_at is null;
`;
