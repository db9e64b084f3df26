import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tasks that are repeated: their instances are made one after the other, at most so many. Null for mapped tasks, whose instances are there from the start. */
export class Loops1764600000034 implements MigrationInterface {
  readonly name = 'Loops1764600000034';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table task_parts add column at_most int');
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
