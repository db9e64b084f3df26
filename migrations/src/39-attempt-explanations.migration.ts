import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the detail of an attempt's end says, as code and values, so that it is told in any language. Ends of earlier versions have their English only. */
export class AttemptExplanations1764600000039 implements MigrationInterface {
  readonly name = 'AttemptExplanations1764600000039';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table attempts add column explanation jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
