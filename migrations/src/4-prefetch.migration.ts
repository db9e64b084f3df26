import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts that were sent ahead to a node without a reservation. */
export class Prefetch1764600000004 implements MigrationInterface {
  name = 'Prefetch1764600000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(prefetch);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table attempts drop column prefetched');
  }
}

// Unclaimed attempts are the ones with a next send. `state` in the predicate would cost every attempt its heap-only updates.
const prefetch = `
alter table attempts add column prefetched boolean not null default false;
create index attempts_backlog on attempts (node_id) where prefetched and next_send_at is not null;
`;
