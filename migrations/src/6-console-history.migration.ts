import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the overview draws over time, and the way to a run by the part of its id that the console shows. */
export class ConsoleHistory1764600000006 implements MigrationInterface {
  readonly name = 'ConsoleHistory1764600000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

// The key begins with the time: ranges and single instants are read, and old samples are deleted from its low end.
const statements = `
create table node_samples (
  at timestamptz not null,
  node_id uuid not null,
  cpu_percent real,
  reserved_percent real not null,
  primary key (at, node_id)
);
create index runs_short_id on runs (right(id::text, 8));
`;
