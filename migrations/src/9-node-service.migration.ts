import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when, why and by whom a node is out of service, and how much it held when its drain began. */
export class NodeService1764600000009 implements MigrationInterface {
  name = 'NodeService1764600000009';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table nodes add column service_since timestamptz, add column service_reason text, add column service_by text, add column drain_attempts int',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table nodes drop column service_since, drop column service_reason, drop column service_by, drop column drain_attempts',
    );
  }
}
