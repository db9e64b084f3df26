import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Values that the workflows of a project share. */
export class ProjectVariables1764600000020 implements MigrationInterface {
  readonly name = 'ProjectVariables1764600000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
  }

  async down(): Promise<void> {
    throw new Error('The variables would be lost: restore a backup instead.');
  }
}

const table = `
create table project_variables (
  project_id uuid not null references projects on delete cascade,
  name text not null,
  value text not null,
  description text not null default '',
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, name)
)`;
