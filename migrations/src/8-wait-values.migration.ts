import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a reason to wait holds, beside its text: for programs, and for readers of other languages. */
export class WaitValues1764600000008 implements MigrationInterface {
  name = 'WaitValues1764600000008';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`alter table placement_waits add column "values" jsonb not null default '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table placement_waits drop column "values"');
  }
}
