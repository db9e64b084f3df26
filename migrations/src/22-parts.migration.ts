import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the instances of a mapped task have come. Their parent's row would change with each of them, and all its indexes with it. */
export class Parts1764600000022 implements MigrationInterface {
  readonly name = 'Parts1764600000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
create table task_parts (
  task_run_id uuid primary key,
  total int not null,
  begun int not null,
  ended int not null default 0,
  failed int not null default 0,
  cancelled int not null default 0
) with (fillfactor = 50);
`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
