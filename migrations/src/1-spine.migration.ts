import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects, access, workflows, schedules, runs, nodes, placement, dispatch and logs. */
export class Spine1764500000000 implements MigrationInterface {
  name = 'Spine1764500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [settings, access, workflows, pools, runs, attempts, placement, logs]) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migration has no way back: drop the database instead.');
  }
}

const settings = `
create table settings (
  key text primary key,
  value jsonb not null
);
insert into settings (key, value) values ('secret', to_jsonb(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex')));
`;

const access = `
create table projects (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz not null default clock_timestamp()
);
create table users (
  id uuid primary key,
  name text not null unique,
  password_hash text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  disabled_at timestamptz
);
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create table api_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null,
  request_hash text not null,
  answer jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, key)
);
`;

const workflows = `
create table workflows (
  id uuid primary key,
  project_id uuid not null references projects,
  name text not null,
  description text not null default '',
  latest_version int not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, name)
);
create table workflow_versions (
  workflow_id uuid not null references workflows,
  version int not null,
  definition jsonb not null,
  spec jsonb not null,
  task_count int not null generated always as (jsonb_array_length(spec -> 'tasks')) stored,
  source text,
  checksum text not null,
  created_by uuid references users,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workflow_id, version)
);
create table schedules (
  id uuid primary key,
  project_id uuid not null references projects,
  workflow_id uuid not null references workflows,
  name text not null,
  cron text not null,
  zone text not null,
  parameters jsonb not null default '{}',
  misfire jsonb not null default '{"policy": "run-once", "max": 1}',
  enabled boolean not null default true,
  next_fire_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz
);
create unique index schedules_name on schedules (workflow_id, name) where removed_at is null;
create index schedules_due on schedules (next_fire_at) where enabled and removed_at is null and next_fire_at is not null;
create table runtime_estimates (
  workflow_id uuid not null references workflows,
  task_key text not null,
  mean_log_seconds double precision not null,
  observations int not null,
  primary key (workflow_id, task_key)
) with (fillfactor = 70);
`;

const pools = `
create table pools (
  id uuid primary key,
  name text not null,
  policy jsonb not null,
  selector_state jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz
) with (fillfactor = 50);
create unique index pools_name on pools (name) where removed_at is null;
create table join_tokens (
  id uuid primary key,
  token_hash bytea not null unique,
  pool_id uuid not null references pools,
  labels jsonb not null default '{}',
  declared_speed double precision,
  capacity_cap jsonb,
  max_uses int not null,
  uses int not null default 0,
  created_by uuid references users,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create table nodes (
  id uuid primary key,
  pool_id uuid not null references pools,
  name text not null unique,
  credential_hash bytea not null unique,
  labels jsonb not null default '{}',
  os text not null,
  arch text not null,
  hostname text not null,
  agent_version text not null,
  protocol int not null,
  runtimes text[] not null default '{}',
  cpu_millis int not null,
  memory_mib int not null,
  disk_mib int not null,
  gpu_count int not null,
  capacity_cap jsonb,
  max_attempts int not null default 1000,
  declared_speed double precision,
  measured jsonb,
  measured_at timestamptz,
  cordoned boolean not null default false,
  draining boolean not null default false,
  state text not null check (state in ('online', 'unreachable', 'offline')),
  state_since timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz
);
create index nodes_pool on nodes (pool_id) where removed_at is null;
create table node_heartbeats (
  node_id uuid primary key references nodes on delete cascade,
  boot_id uuid not null,
  received_at timestamptz not null,
  boot_at timestamptz not null,
  load jsonb
) with (fillfactor = 30);
create table node_usage (
  node_id uuid primary key references nodes on delete cascade,
  cpu_millis int not null default 0,
  memory_mib int not null default 0,
  disk_mib int not null default 0,
  gpu_count int not null default 0,
  attempts int not null default 0,
  failures int not null default 0
) with (fillfactor = 30);
`;

// Rows that are written with every step refer to what the same statement has just written or to what is never deleted (pools, nodes, shapes). They have no foreign
// keys for that: each would be one more lookup and one more lock on a row that everybody shares, per task run.
const runs = `
create table runs (
  id uuid primary key,
  project_id uuid not null references projects,
  workflow_id uuid not null references workflows,
  workflow_version int not null,
  state text not null check (state in ('queued', 'running', 'cancelling', 'paused', 'succeeded', 'failed', 'cancelled')),
  trigger text not null check (trigger in ('manual', 'schedule', 'rerun')),
  schedule_id uuid references schedules,
  fire_at timestamptz,
  parameters jsonb not null default '{}',
  rerun_of uuid references runs,
  created_by uuid references users,
  task_count int not null,
  open_tasks int not null,
  reason jsonb,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (workflow_id, workflow_version) references workflow_versions (workflow_id, version)
) with (fillfactor = 70);
create unique index runs_fire on runs (schedule_id, fire_at) where trigger = 'schedule';
create index runs_project on runs (project_id, id desc);
create index runs_workflow on runs (workflow_id, id desc);
create index runs_failed on runs (id desc) where state = 'failed';
create index runs_schedule on runs (schedule_id, id desc) where schedule_id is not null;
create index runs_active on runs (id) where finished_at is null;
create table request_shapes (
  hash text primary key,
  request jsonb not null
);
create table task_runs (
  id uuid primary key,
  run_id uuid not null references runs,
  task_key text not null,
  position int not null,
  state text not null check (state in ('waiting', 'ready', 'blocked', 'dispatched', 'running', 'retry-wait', 'succeeded', 'failed', 'skipped', 'cancelled')),
  fence int not null default 0,
  pool_id uuid not null,
  shape_hash text not null,
  priority int not null default 0,
  rank real not null default 0,
  expected_seconds real,
  timeout_seconds real,
  reason jsonb,
  tries int not null default 0,
  lost_count int not null default 0,
  avoid_node_ids uuid[] not null default '{}',
  ready_at timestamptz,
  retry_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  kept_from uuid references task_runs
) with (fillfactor = 60);
create unique index task_runs_key on task_runs (run_id, position);
create index task_runs_placeable on task_runs (pool_id, shape_hash, priority desc, rank desc, ready_at, id) where state in ('ready', 'blocked');
create index task_runs_retry on task_runs (retry_at) where state = 'retry-wait';
`;

const attempts = `
create table attempts (
  id uuid primary key,
  task_run_id uuid not null references task_runs,
  run_id uuid not null,
  node_id uuid not null,
  fence int not null,
  state text not null check (state in ('dispatched', 'running', 'stopping', 'succeeded', 'failed', 'timed_out', 'cancelled', 'lost')),
  dispatched_at timestamptz not null default clock_timestamp(),
  send_no int not null default 0,
  next_send_at timestamptz,
  pull_from timestamptz,
  claim_id uuid,
  carrier text,
  claimed_at timestamptz,
  deadline_at timestamptz,
  started_at timestamptz,
  stopping_at timestamptz,
  stop_reason text,
  finished_at timestamptz,
  exit_code int,
  signal text,
  detail text,
  report_sequence int not null default 0,
  unique (task_run_id, fence)
) with (fillfactor = 50);
create index attempts_unsent on attempts (next_send_at) where next_send_at is not null;
create index attempts_live on attempts (node_id) where finished_at is null;
create table reservations (
  attempt_id uuid primary key,
  node_id uuid not null,
  cpu_millis int not null,
  memory_mib int not null,
  disk_mib int not null,
  gpu_count int not null,
  state text not null default 'held' check (state in ('held', 'releasing', 'released')),
  held_at timestamptz not null default clock_timestamp(),
  released_at timestamptz
) with (fillfactor = 70);
create index reservations_open on reservations (node_id) where state <> 'released';
`;

const placement = `
create table placement_turns (
  id uuid primary key,
  pool_id uuid not null references pools,
  input jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create table placement_waits (
  pool_id uuid not null,
  shape_hash text not null,
  code text not null,
  text text not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (pool_id, shape_hash)
) with (fillfactor = 50);
create table placement_decisions (
  attempt_id uuid primary key,
  turn_id uuid not null,
  ordinal int not null,
  decision jsonb not null
);
`;

// Partitions are ranges of attempt ids: a uuidv7 begins with its creation time, so a range of ids is a range of days and the
// primary key that makes chunks idempotent needs no further column.
const logs = `
create table log_chunks (
  attempt_id uuid not null,
  stream smallint not null,
  byte_offset bigint not null,
  data bytea not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (attempt_id, stream, byte_offset)
) partition by range (attempt_id);
create table log_chunks_rest partition of log_chunks default;
`;
