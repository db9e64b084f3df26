import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A task run that has ended is looked at no more: earlier versions left the time of the next look with those that were marked. */
export class EndedLooks1764600000032 implements MigrationInterface {
  readonly name = 'EndedLooks1764600000032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('update task_runs set next_look_at = null where next_look_at is not null and finished_at is not null');
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
