import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What nodes are asked about files that tasks wait for, and what each answered last. It goes with its watch. */
export class NodeLooks1764600000038 implements MigrationInterface {
  readonly name = 'NodeLooks1764600000038';

  async up(runner: QueryRunner): Promise<void> {
    // A watch that begins anew has another id, so that answers to what it asked before are of nobody.
    await runner.query('alter table watches add column id uuid not null default gen_random_uuid()');
    await runner.query('alter table watches add constraint watches_id unique (id)');
    await runner.query(nodeLooks);
    await runner.query('create index node_looks_open on node_looks (node_id, asked_at) where is_open');
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

const nodeLooks = `
create table node_looks (
  watch_id uuid not null references watches (id) on delete cascade,
  node_id uuid not null,
  look int not null,
  path text not null,
  is_open boolean not null default true,
  asked_at timestamptz not null default clock_timestamp(),
  found jsonb,
  primary key (watch_id, node_id)
)`;
