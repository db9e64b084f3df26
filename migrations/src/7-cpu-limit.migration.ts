import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What limits the CPU of a node's agent, by its own word. */
export class CpuLimit1764600000007 implements MigrationInterface {
  name = 'CpuLimit1764600000007';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table nodes add column cpu_limit jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table nodes drop column cpu_limit');
  }
}
