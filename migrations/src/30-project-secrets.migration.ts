import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Values that only tasks of a project get to see, sealed under a key of the servers' configuration. */
export class ProjectSecrets1764600000030 implements MigrationInterface {
  readonly name = 'ProjectSecrets1764600000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
  }

  async down(): Promise<void> {
    throw new Error('The secrets would be lost: restore a backup instead.');
  }
}

const table = `
create table project_secrets (
  project_id uuid not null references projects on delete cascade,
  name text not null,
  sealed bytea not null,
  key_id text not null,
  description text not null default '',
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, name)
)`;
