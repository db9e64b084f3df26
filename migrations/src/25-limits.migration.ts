import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits with their holders, quotas of projects, and an order of placement in which waiting counts. */
export class Limits1764600000025 implements MigrationInterface {
  name = 'Limits1764600000025';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(limits);
    await queryRunner.query(quotas);
    await queryRunner.query(ageing);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop index task_runs_placeable;
      create index task_runs_placeable on task_runs (pool_id, shape_hash, priority desc, rank desc, ready_at, id) where state in ('ready', 'blocked');
      alter table reservations drop column project_id;
      drop table project_quotas, limit_shapes, limit_holders, limits`);
  }
}

// A holder row is what counts: a limit is taken while its row has no `freed_at`. Rows stay after that as the limit's past, and as the starts that its rate counts.
// limit_shapes says which requests take a limit, so that its queue is found through the index by which placement finds it.
const limits = `
create table limits (
  id uuid primary key,
  project_id uuid references projects (id) on delete cascade,
  kind text not null check (kind in ('limit', 'mutex')),
  name text not null,
  description text not null default '',
  slots int check (slots >= 0),
  rate_starts int check (rate_starts >= 1),
  rate_seconds int check (rate_seconds >= 1),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  constraint limits_rate check ((rate_starts is null) = (rate_seconds is null)),
  constraint limits_something check (slots is not null or rate_starts is not null)
);
create unique index limits_name on limits (coalesce(project_id, '00000000-0000-0000-0000-000000000000'), kind, name) where removed_at is null;

create table limit_holders (
  attempt_id uuid not null,
  limit_id uuid not null,
  slots int not null check (slots >= 1),
  taken_at timestamptz not null default clock_timestamp(),
  freed_at timestamptz,
  primary key (attempt_id, limit_id)
) with (fillfactor = 70);
create index limit_holders_open on limit_holders (limit_id) where freed_at is null;
create index limit_holders_taken on limit_holders (limit_id, taken_at);

create table limit_shapes (
  limit_id uuid not null,
  shape_hash text not null,
  slots int not null,
  primary key (limit_id, shape_hash)
);
`;

// Null: no quota of it. What a project holds is summed over its open reservations, of which there are as many as attempts live.
const quotas = `
create table project_quotas (
  project_id uuid primary key references projects (id) on delete cascade,
  cpu_millis int check (cpu_millis >= 0),
  memory_mib int check (memory_mib >= 0),
  gpu_count int check (gpu_count >= 0),
  attempts int check (attempts >= 0),
  updated_at timestamptz not null default clock_timestamp()
);
alter table reservations add column project_id uuid;
update reservations v set project_id = r.project_id from attempts a join runs r on r.id = a.run_id where a.id = v.attempt_id and v.state <> 'released';
`;

// The same order as core's agedPriority; an instant as a plain UTC timestamp is what makes the expression immutable.
const ageing = `
drop index task_runs_placeable;
create index task_runs_placeable on task_runs (pool_id, shape_hash, ((priority - floor(extract(epoch from ready_at at time zone 'UTC') / 60))) desc, rank desc, ready_at, id)
  where state in ('ready', 'blocked');
`;
