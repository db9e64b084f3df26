import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What tasks wait for over HTTP, and when each is looked at next; a row is there while its task waits. */
export class Watches1764600000028 implements MigrationInterface {
  readonly name = 'Watches1764600000028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(watches);
    await runner.query('create index watches_due on watches (due_at)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

const watches = `
create table watches (
  task_run_id uuid primary key,
  run_id uuid not null,
  question jsonb not null,
  every_seconds float8 not null,
  due_at timestamptz not null default clock_timestamp(),
  looks int not null default 0
)`;
