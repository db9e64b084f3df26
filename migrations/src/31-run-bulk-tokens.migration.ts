import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The API token that an action on many runs was started with: the action ends with it. No foreign key, for a token that is gone must not become none. */
export class RunBulkTokens1764600000031 implements MigrationInterface {
  name = 'RunBulkTokens1764600000031';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table run_bulks add column token_id uuid');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table run_bulks drop column token_id');
  }
}
