-- What the migrations result in. Made by schema-dump; do not edit.

create table api_tokens (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  token_hash bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  project_id uuid,
  constraint api_tokens_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint api_tokens_pkey PRIMARY KEY (id),
  constraint api_tokens_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX api_tokens_user ON public.api_tokens USING btree (user_id);

create table attempts (
  id uuid not null,
  task_run_id uuid not null,
  run_id uuid not null,
  node_id uuid not null,
  fence integer not null,
  state text not null,
  dispatched_at timestamp with time zone not null default clock_timestamp(),
  send_no integer not null default 0,
  next_send_at timestamp with time zone,
  pull_from timestamp with time zone,
  claim_id uuid,
  carrier text,
  claimed_at timestamp with time zone,
  deadline_at timestamp with time zone,
  started_at timestamp with time zone,
  stopping_at timestamp with time zone,
  stop_reason text,
  finished_at timestamp with time zone,
  exit_code integer,
  signal text,
  detail text,
  report_sequence integer not null default 0,
  prefetched boolean not null default false,
  explanation jsonb,
  constraint attempts_state_check CHECK ((state = ANY (ARRAY['dispatched'::text, 'running'::text, 'stopping'::text, 'succeeded'::text, 'failed'::text, 'timed_out'::text, 'cancelled'::text, 'lost'::text]))),
  constraint attempts_task_run_id_fkey FOREIGN KEY (task_run_id) REFERENCES task_runs(id),
  constraint attempts_pkey PRIMARY KEY (id),
  constraint attempts_task_run_id_fence_key UNIQUE (task_run_id, fence)
) with (fillfactor=50);
CREATE INDEX attempts_backlog ON public.attempts USING btree (node_id) WHERE (prefetched AND (next_send_at IS NOT NULL));
CREATE INDEX attempts_live ON public.attempts USING btree (node_id) WHERE (finished_at IS NULL);
CREATE INDEX attempts_unsent ON public.attempts USING btree (next_send_at) WHERE (next_send_at IS NOT NULL);

create table audit_events (
  id uuid not null,
  at timestamp with time zone not null default clock_timestamp(),
  action text not null,
  actor_kind text not null,
  user_id uuid,
  actor_name text,
  via text,
  credential_id uuid,
  credential_name text,
  project_id uuid,
  entity_type text not null,
  entity_id uuid,
  entity_name text,
  before jsonb,
  after jsonb,
  outcome text not null default 'unknown'::text,
  code text,
  request_id text not null,
  address text,
  finished_at timestamp with time zone,
  unrecorded integer not null default 0,
  constraint audit_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'agent'::text, 'anonymous'::text]))),
  constraint audit_events_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'refused'::text, 'failed'::text, 'unknown'::text]))),
  constraint audit_events_via_check CHECK ((via = ANY (ARRAY['session'::text, 'token'::text]))),
  constraint audit_events_pkey PRIMARY KEY (id)
) partition by RANGE (id);
CREATE INDEX audit_events_action ON ONLY public.audit_events USING btree (action, id);
CREATE INDEX audit_events_entity ON ONLY public.audit_events USING btree (entity_id, id) WHERE (entity_id IS NOT NULL);
CREATE INDEX audit_events_project ON ONLY public.audit_events USING btree (project_id, id) WHERE (project_id IS NOT NULL);
CREATE INDEX audit_events_user ON ONLY public.audit_events USING btree (user_id, id) WHERE (user_id IS NOT NULL);

create table audit_events_rest partition of audit_events DEFAULT;
CREATE INDEX audit_events_rest_action_id_idx ON public.audit_events_rest USING btree (action, id);
CREATE INDEX audit_events_rest_entity_id_id_idx ON public.audit_events_rest USING btree (entity_id, id) WHERE (entity_id IS NOT NULL);
CREATE INDEX audit_events_rest_project_id_id_idx ON public.audit_events_rest USING btree (project_id, id) WHERE (project_id IS NOT NULL);
CREATE INDEX audit_events_rest_user_id_id_idx ON public.audit_events_rest USING btree (user_id, id) WHERE (user_id IS NOT NULL);

create table backfill_fires (
  backfill_id uuid not null,
  "position" integer not null,
  fire_at timestamp with time zone not null,
  run_id uuid,
  constraint backfill_fires_backfill_id_fkey FOREIGN KEY (backfill_id) REFERENCES backfills(id) ON DELETE CASCADE,
  constraint backfill_fires_pkey PRIMARY KEY (backfill_id, "position"),
  constraint backfill_fires_backfill_id_fire_at_key UNIQUE (backfill_id, fire_at)
);

create table backfills (
  id uuid not null,
  project_id uuid not null,
  schedule_id uuid not null,
  workflow_id uuid not null,
  workflow_version integer not null,
  user_id uuid not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  fires text not null,
  direction text not null,
  parallel integer not null,
  parameters jsonb not null default '{}'::jsonb,
  total integer not null,
  started integer not null default 0,
  state text not null default 'running'::text,
  reason jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  finished_at timestamp with time zone,
  constraint backfills_direction_check CHECK ((direction = ANY (ARRAY['oldest-first'::text, 'newest-first'::text]))),
  constraint backfills_fires_check CHECK ((fires = ANY (ARRAY['all'::text, 'missing'::text, 'unsuccessful'::text]))),
  constraint backfills_parallel_check CHECK ((parallel > 0)),
  constraint backfills_state_check CHECK ((state = ANY (ARRAY['running'::text, 'cancelling'::text, 'cancelled'::text, 'finished'::text]))),
  constraint backfills_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint backfills_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id),
  constraint backfills_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint backfills_workflow_id_workflow_version_fkey FOREIGN KEY (workflow_id, workflow_version) REFERENCES workflow_versions(workflow_id, version),
  constraint backfills_pkey PRIMARY KEY (id)
);
CREATE INDEX backfills_open ON public.backfills USING btree (id) WHERE (finished_at IS NULL);
CREATE INDEX backfills_schedule ON public.backfills USING btree (schedule_id, id DESC);

create table calendars (
  id uuid not null,
  project_id uuid not null,
  name text not null,
  description text not null default ''::text,
  weekend smallint[] not null,
  excluded jsonb not null,
  working jsonb not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint calendars_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint calendars_pkey PRIMARY KEY (id),
  constraint calendars_project_id_name_key UNIQUE (project_id, name)
);

create table group_members (
  group_id uuid not null,
  user_id uuid not null,
  source text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint group_members_source_check CHECK ((source = ANY (ARRAY['manual'::text, 'directory'::text]))),
  constraint group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint group_members_pkey PRIMARY KEY (group_id, user_id, source)
);
CREATE INDEX group_members_user ON public.group_members USING btree (user_id);

create table groups (
  id uuid not null,
  name text not null,
  description text not null default ''::text,
  external_name text,
  is_platform_admin boolean not null default false,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint groups_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX groups_external_name ON public.groups USING btree (external_name) WHERE (external_name IS NOT NULL);
CREATE UNIQUE INDEX groups_name ON public.groups USING btree (lower(name));

create table idempotency_keys (
  user_id uuid not null,
  key text not null,
  request_hash text not null,
  answer jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key)
);

create table join_tokens (
  id uuid not null,
  token_hash bytea not null,
  pool_id uuid not null,
  labels jsonb not null default '{}'::jsonb,
  declared_speed double precision,
  capacity_cap jsonb,
  max_uses integer not null,
  uses integer not null default 0,
  created_by uuid,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint join_tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint join_tokens_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id),
  constraint join_tokens_pkey PRIMARY KEY (id),
  constraint join_tokens_token_hash_key UNIQUE (token_hash)
);

create table limit_holders (
  attempt_id uuid not null,
  limit_id uuid not null,
  slots integer not null,
  taken_at timestamp with time zone not null default clock_timestamp(),
  freed_at timestamp with time zone,
  constraint limit_holders_slots_check CHECK ((slots >= 1)),
  constraint limit_holders_pkey PRIMARY KEY (attempt_id, limit_id)
) with (fillfactor=70);
CREATE INDEX limit_holders_open ON public.limit_holders USING btree (limit_id) WHERE (freed_at IS NULL);
CREATE INDEX limit_holders_taken ON public.limit_holders USING btree (limit_id, taken_at);

create table limit_shapes (
  limit_id uuid not null,
  shape_hash text not null,
  slots integer not null,
  constraint limit_shapes_pkey PRIMARY KEY (limit_id, shape_hash)
);

create table limits (
  id uuid not null,
  project_id uuid,
  kind text not null,
  name text not null,
  description text not null default ''::text,
  slots integer,
  rate_starts integer,
  rate_seconds integer,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  removed_at timestamp with time zone,
  constraint limits_kind_check CHECK ((kind = ANY (ARRAY['limit'::text, 'mutex'::text]))),
  constraint limits_rate CHECK (((rate_starts IS NULL) = (rate_seconds IS NULL))),
  constraint limits_rate_seconds_check CHECK ((rate_seconds >= 1)),
  constraint limits_rate_starts_check CHECK ((rate_starts >= 1)),
  constraint limits_slots_check CHECK ((slots >= 0)),
  constraint limits_something CHECK (((slots IS NOT NULL) OR (rate_starts IS NOT NULL))),
  constraint limits_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint limits_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX limits_name ON public.limits USING btree (COALESCE(project_id, '00000000-0000-0000-0000-000000000000'::uuid), kind, name) WHERE (removed_at IS NULL);

create table log_archives (
  attempt_id uuid not null,
  claim_id uuid,
  claimed_until timestamp with time zone,
  blob_id uuid,
  blob_index jsonb,
  archived_at timestamp with time zone,
  expired_at timestamp with time zone,
  stale_blobs uuid[] not null default '{}'::uuid[],
  constraint log_archives_check CHECK (((blob_id IS NULL) = (blob_index IS NULL))),
  constraint log_archives_pkey PRIMARY KEY (attempt_id)
);
CREATE INDEX log_archives_kept ON public.log_archives USING btree (attempt_id) WHERE (expired_at IS NULL);
CREATE INDEX log_archives_stale ON public.log_archives USING btree (attempt_id) WHERE (stale_blobs <> '{}'::uuid[]);

create table log_chunks (
  attempt_id uuid not null,
  stream smallint not null,
  byte_offset bigint not null,
  data bytea not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  constraint log_chunks_pkey PRIMARY KEY (attempt_id, stream, byte_offset)
) partition by RANGE (attempt_id);

create table log_chunks_rest partition of log_chunks DEFAULT;

create table node_heartbeats (
  node_id uuid not null,
  boot_id uuid not null,
  received_at timestamp with time zone not null,
  boot_at timestamp with time zone not null,
  load jsonb,
  constraint node_heartbeats_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_heartbeats_pkey PRIMARY KEY (node_id)
) with (fillfactor=30);

create table node_looks (
  watch_id uuid not null,
  node_id uuid not null,
  look integer not null,
  path text not null,
  is_open boolean not null default true,
  asked_at timestamp with time zone not null default clock_timestamp(),
  found jsonb,
  constraint node_looks_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watches(id) ON DELETE CASCADE,
  constraint node_looks_pkey PRIMARY KEY (watch_id, node_id)
);
CREATE INDEX node_looks_open ON public.node_looks USING btree (node_id, asked_at) WHERE is_open;

create table node_samples (
  at timestamp with time zone not null,
  node_id uuid not null,
  cpu_percent real,
  reserved_percent real not null,
  constraint node_samples_pkey PRIMARY KEY (at, node_id)
);

create table node_usage (
  node_id uuid not null,
  cpu_millis integer not null default 0,
  memory_mib integer not null default 0,
  disk_mib integer not null default 0,
  gpu_count integer not null default 0,
  attempts integer not null default 0,
  failures integer not null default 0,
  constraint node_usage_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_usage_pkey PRIMARY KEY (node_id)
) with (fillfactor=30);

create table nodes (
  id uuid not null,
  pool_id uuid not null,
  name text not null,
  credential_hash bytea not null,
  labels jsonb not null default '{}'::jsonb,
  os text not null,
  arch text not null,
  hostname text not null,
  agent_version text not null,
  protocol integer not null,
  runtimes text[] not null default '{}'::text[],
  cpu_millis integer not null,
  memory_mib integer not null,
  disk_mib integer not null,
  gpu_count integer not null,
  capacity_cap jsonb,
  max_attempts integer not null default 1000,
  declared_speed double precision,
  measured jsonb,
  measured_at timestamp with time zone,
  cordoned boolean not null default false,
  draining boolean not null default false,
  state text not null,
  state_since timestamp with time zone not null default clock_timestamp(),
  created_at timestamp with time zone not null default clock_timestamp(),
  removed_at timestamp with time zone,
  cpu_limit jsonb,
  service_since timestamp with time zone,
  service_reason text,
  service_by text,
  drain_attempts integer,
  constraint nodes_state_check CHECK ((state = ANY (ARRAY['online'::text, 'unreachable'::text, 'offline'::text]))),
  constraint nodes_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id),
  constraint nodes_pkey PRIMARY KEY (id),
  constraint nodes_credential_hash_key UNIQUE (credential_hash),
  constraint nodes_name_key UNIQUE (name)
);
CREATE INDEX nodes_pool ON public.nodes USING btree (pool_id) WHERE (removed_at IS NULL);

create table placement_decisions (
  attempt_id uuid not null,
  turn_id uuid not null,
  ordinal integer not null,
  decision jsonb not null,
  constraint placement_decisions_pkey PRIMARY KEY (attempt_id)
);

create table placement_turns (
  id uuid not null,
  pool_id uuid not null,
  input jsonb not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint placement_turns_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id),
  constraint placement_turns_pkey PRIMARY KEY (id)
);

create table placement_waits (
  pool_id uuid not null,
  shape_hash text not null,
  code text not null,
  text text not null,
  updated_at timestamp with time zone not null default clock_timestamp(),
  "values" jsonb not null default '{}'::jsonb,
  constraint placement_waits_pkey PRIMARY KEY (pool_id, shape_hash)
) with (fillfactor=50);

create table pools (
  id uuid not null,
  name text not null,
  policy jsonb not null,
  selector_state jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  removed_at timestamp with time zone,
  constraint pools_pkey PRIMARY KEY (id)
) with (fillfactor=50);
CREATE UNIQUE INDEX pools_name ON public.pools USING btree (name) WHERE (removed_at IS NULL);

create table project_quotas (
  project_id uuid not null,
  cpu_millis integer,
  memory_mib integer,
  gpu_count integer,
  attempts integer,
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint project_quotas_attempts_check CHECK ((attempts >= 0)),
  constraint project_quotas_cpu_millis_check CHECK ((cpu_millis >= 0)),
  constraint project_quotas_gpu_count_check CHECK ((gpu_count >= 0)),
  constraint project_quotas_memory_mib_check CHECK ((memory_mib >= 0)),
  constraint project_quotas_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_quotas_pkey PRIMARY KEY (project_id)
);

create table project_secrets (
  project_id uuid not null,
  name text not null,
  sealed bytea not null,
  key_id text not null,
  description text not null default ''::text,
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint project_secrets_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_secrets_pkey PRIMARY KEY (project_id, name)
);

create table project_variables (
  project_id uuid not null,
  name text not null,
  value text not null,
  description text not null default ''::text,
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint project_variables_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_variables_pkey PRIMARY KEY (project_id, name)
);

create table projects (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  former_names text[] not null default '{}'::text[],
  removed_at timestamp with time zone,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_name_key UNIQUE (name)
);

create table request_shapes (
  hash text not null,
  request jsonb not null,
  constraint request_shapes_pkey PRIMARY KEY (hash)
);

create table reservations (
  attempt_id uuid not null,
  node_id uuid not null,
  cpu_millis integer not null,
  memory_mib integer not null,
  disk_mib integer not null,
  gpu_count integer not null,
  state text not null default 'held'::text,
  held_at timestamp with time zone not null default clock_timestamp(),
  released_at timestamp with time zone,
  project_id uuid,
  constraint reservations_state_check CHECK ((state = ANY (ARRAY['held'::text, 'releasing'::text, 'released'::text]))),
  constraint reservations_pkey PRIMARY KEY (attempt_id)
) with (fillfactor=70);
CREATE INDEX reservations_open ON public.reservations USING btree (node_id) WHERE (state <> 'released'::text);

create table role_bindings (
  id uuid not null,
  project_id uuid not null,
  user_id uuid,
  group_id uuid,
  role text not null,
  created_by uuid,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint role_bindings_check CHECK ((num_nonnulls(user_id, group_id) = 1)),
  constraint role_bindings_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'developer'::text, 'admin'::text]))),
  constraint role_bindings_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint role_bindings_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint role_bindings_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint role_bindings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint role_bindings_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX role_bindings_group ON public.role_bindings USING btree (group_id, project_id) WHERE (group_id IS NOT NULL);
CREATE INDEX role_bindings_project ON public.role_bindings USING btree (project_id);
CREATE UNIQUE INDEX role_bindings_user ON public.role_bindings USING btree (user_id, project_id) WHERE (user_id IS NOT NULL);

create table run_admissions (
  run_id uuid not null,
  workflow_id uuid not null,
  key text not null,
  run_limit integer not null,
  on_conflict text not null,
  "position" bigint not null,
  skipped boolean not null default false,
  admitted_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint run_admissions_on_conflict_check CHECK ((on_conflict = ANY (ARRAY['queue'::text, 'skip'::text, 'cancel-running'::text]))),
  constraint run_admissions_run_limit_check CHECK ((run_limit >= 1)),
  constraint run_admissions_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint run_admissions_pkey PRIMARY KEY (run_id)
);
CREATE INDEX run_admissions_open ON public.run_admissions USING btree (workflow_id, key, "position") WHERE (ended_at IS NULL);
CREATE INDEX run_admissions_waiting ON public.run_admissions USING btree (workflow_id, key) WHERE ((ended_at IS NULL) AND (admitted_at IS NULL));

create table run_bulks (
  id uuid not null,
  user_id uuid not null,
  action text not null,
  run_ids uuid[] not null,
  done integer not null default 0,
  succeeded integer not null default 0,
  reasons jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  finished_at timestamp with time zone,
  stopped_at timestamp with time zone,
  token_id uuid,
  constraint run_bulks_action_check CHECK ((action = ANY (ARRAY['cancel'::text, 'rerun-all'::text, 'rerun-failed'::text]))),
  constraint run_bulks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint run_bulks_pkey PRIMARY KEY (id)
);
CREATE INDEX run_bulks_open ON public.run_bulks USING btree (id) WHERE (finished_at IS NULL);
CREATE INDEX run_bulks_user ON public.run_bulks USING btree (user_id, id DESC);

create table runs (
  id uuid not null,
  project_id uuid not null,
  workflow_id uuid not null,
  workflow_version integer not null,
  state text not null,
  trigger text not null,
  schedule_id uuid,
  fire_at timestamp with time zone,
  parameters jsonb not null default '{}'::jsonb,
  rerun_of uuid,
  created_by uuid,
  task_count integer not null,
  open_tasks integer not null,
  reason jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  backfill_id uuid,
  final_tasks integer not null default 0,
  finals_cancelled boolean not null default false,
  parent_run_id uuid,
  parent_task_run_id uuid,
  pins jsonb,
  paused_by_parent boolean not null default false,
  of_final_task boolean not null default false,
  constraint runs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'cancelling'::text, 'paused'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))),
  constraint runs_trigger_check CHECK ((trigger = ANY (ARRAY['manual'::text, 'schedule'::text, 'rerun'::text, 'backfill'::text, 'webhook'::text, 'parent'::text]))),
  constraint runs_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint runs_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint runs_rerun_of_fkey FOREIGN KEY (rerun_of) REFERENCES runs(id),
  constraint runs_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id),
  constraint runs_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id),
  constraint runs_workflow_id_workflow_version_fkey FOREIGN KEY (workflow_id, workflow_version) REFERENCES workflow_versions(workflow_id, version),
  constraint runs_pkey PRIMARY KEY (id)
) with (fillfactor=70);
CREATE INDEX runs_active ON public.runs USING btree (id) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX runs_backfill ON public.runs USING btree (backfill_id, fire_at) WHERE (trigger = 'backfill'::text);
CREATE INDEX runs_backfill_active ON public.runs USING btree (backfill_id) WHERE ((trigger = 'backfill'::text) AND (finished_at IS NULL));
CREATE INDEX runs_by_hand ON public.runs USING btree (trigger, id DESC) WHERE (trigger <> 'schedule'::text);
CREATE INDEX runs_children ON public.runs USING btree (parent_run_id, id) WHERE (parent_run_id IS NOT NULL);
CREATE INDEX runs_duration ON public.runs USING btree (state, ((finished_at - started_at)), id) INCLUDE (started_at, finished_at, project_id) WHERE ((finished_at IS NOT NULL) AND (started_at IS NOT NULL));
CREATE UNIQUE INDEX runs_fire ON public.runs USING btree (schedule_id, fire_at) WHERE (trigger = 'schedule'::text);
CREATE UNIQUE INDEX runs_open_child ON public.runs USING btree (parent_task_run_id) WHERE ((parent_task_run_id IS NOT NULL) AND (finished_at IS NULL));
CREATE INDEX runs_project ON public.runs USING btree (project_id, id DESC);
CREATE INDEX runs_project_state ON public.runs USING btree (project_id, state, id DESC);
CREATE INDEX runs_repeated_fire ON public.runs USING btree (schedule_id, fire_at) WHERE (trigger = ANY (ARRAY['backfill'::text, 'rerun'::text]));
CREATE INDEX runs_reruns ON public.runs USING btree (rerun_of) WHERE (rerun_of IS NOT NULL);
CREATE INDEX runs_schedule ON public.runs USING btree (schedule_id, id DESC) WHERE (schedule_id IS NOT NULL);
CREATE INDEX runs_schedule_active ON public.runs USING btree (schedule_id, id) WHERE ((trigger = 'schedule'::text) AND (finished_at IS NULL));
CREATE INDEX runs_short_id ON public.runs USING btree ("right"((id)::text, 8));
CREATE INDEX runs_state ON public.runs USING btree (state, id DESC);
CREATE INDEX runs_workflow ON public.runs USING btree (workflow_id, id DESC);

create table runtime_estimates (
  workflow_id uuid not null,
  task_key text not null,
  mean_log_seconds double precision not null,
  observations integer not null,
  constraint runtime_estimates_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id),
  constraint runtime_estimates_pkey PRIMARY KEY (workflow_id, task_key)
) with (fillfactor=70);

create table saved_views (
  id uuid not null,
  user_id uuid not null,
  page text not null,
  name text not null,
  query jsonb not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint saved_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_user_id_page_name_key UNIQUE (user_id, page, name)
);

create table schedule_upstreams (
  schedule_id uuid not null,
  "position" integer not null,
  workflow_id uuid not null,
  is_self boolean not null,
  constraint schedule_upstreams_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id) ON DELETE CASCADE,
  constraint schedule_upstreams_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id) ON DELETE CASCADE,
  constraint schedule_upstreams_pkey PRIMARY KEY (schedule_id, "position")
);
CREATE INDEX schedule_upstreams_workflow ON public.schedule_upstreams USING btree (workflow_id);

create table schedules (
  id uuid not null,
  project_id uuid not null,
  workflow_id uuid not null,
  name text not null,
  cron text,
  zone text not null,
  parameters jsonb not null default '{}'::jsonb,
  misfire jsonb not null default '{"max": 1, "policy": "run-once"}'::jsonb,
  enabled boolean not null default true,
  next_fire_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  removed_at timestamp with time zone,
  kind text not null default 'cron'::text,
  rule jsonb not null default '{}'::jsonb,
  starts text,
  ends text,
  overlap text not null default 'allow'::text,
  jitter_seconds double precision not null default 0,
  delayed_until timestamp with time zone,
  held_by_run_id uuid,
  held_from timestamp with time zone,
  passed_over jsonb,
  calendar_id uuid,
  constraint schedules_cron CHECK (((kind = 'cron'::text) = (cron IS NOT NULL))),
  constraint schedules_kind_check CHECK ((kind = ANY (ARRAY['cron'::text, 'fixed-rate'::text, 'fixed-delay'::text, 'one-shot'::text, 'webhook'::text, 'upstream'::text]))),
  constraint schedules_overlap_check CHECK ((overlap = ANY (ARRAY['allow'::text, 'skip'::text, 'queue'::text, 'cancel-running'::text]))),
  constraint schedules_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES calendars(id) ON DELETE SET NULL,
  constraint schedules_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint schedules_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id),
  constraint schedules_pkey PRIMARY KEY (id)
);
CREATE INDEX schedules_calendar ON public.schedules USING btree (calendar_id) WHERE (calendar_id IS NOT NULL);
CREATE INDEX schedules_due ON public.schedules USING btree (COALESCE(delayed_until, next_fire_at)) WHERE (enabled AND (removed_at IS NULL) AND (next_fire_at IS NOT NULL) AND (held_by_run_id IS NULL));
CREATE INDEX schedules_held ON public.schedules USING btree (held_by_run_id) WHERE (held_by_run_id IS NOT NULL);
CREATE UNIQUE INDEX schedules_name ON public.schedules USING btree (workflow_id, name) WHERE (removed_at IS NULL);

create table servers (
  id uuid not null,
  blob_store text,
  seen_at timestamp with time zone not null default clock_timestamp(),
  constraint servers_pkey PRIMARY KEY (id)
) with (fillfactor=50);

create table sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  address text,
  user_agent text,
  last_seen_at timestamp with time zone not null default clock_timestamp(),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

create table settings (
  key text not null,
  value jsonb not null,
  constraint settings_pkey PRIMARY KEY (key)
);

create table sign_in_failures (
  key bytea not null,
  failures integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (key)
) with (fillfactor=70);
CREATE INDEX sign_in_failures_last ON public.sign_in_failures USING btree (last_at);

create table task_outputs (
  task_run_id uuid not null,
  fence integer not null,
  outputs jsonb not null,
  stored_at timestamp with time zone not null default clock_timestamp(),
  constraint task_outputs_pkey PRIMARY KEY (task_run_id, fence)
);

create table task_parts (
  task_run_id uuid not null,
  total integer not null,
  begun integer not null,
  ended integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  at_most integer,
  constraint task_parts_pkey PRIMARY KEY (task_run_id)
) with (fillfactor=50);

create table task_runs (
  id uuid not null,
  run_id uuid not null,
  task_key text not null,
  "position" integer not null,
  state text not null,
  fence integer not null default 0,
  pool_id uuid,
  shape_hash text,
  priority integer not null default 0,
  rank real not null default 0,
  expected_seconds real,
  timeout_seconds real,
  reason jsonb,
  tries integer not null default 0,
  lost_count integer not null default 0,
  avoid_node_ids uuid[] not null default '{}'::uuid[],
  ready_at timestamp with time zone,
  retry_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  kept_from uuid,
  next_look_at timestamp with time zone,
  parent_id uuid,
  item integer not null default '-1'::integer,
  item_value jsonb,
  mark jsonb,
  deadline_seconds real,
  deadline_at timestamp with time zone,
  child_run_id uuid,
  continues_run_id uuid,
  constraint task_runs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'blocked'::text, 'dispatched'::text, 'running'::text, 'retry-wait'::text, 'paused'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text, 'cancelled'::text]))),
  constraint task_runs_kept_from_fkey FOREIGN KEY (kept_from) REFERENCES task_runs(id),
  constraint task_runs_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id),
  constraint task_runs_pkey PRIMARY KEY (id)
) with (fillfactor=60);
CREATE INDEX task_runs_children ON public.task_runs USING btree (id) WHERE ((child_run_id IS NOT NULL) AND (finished_at IS NULL));
CREATE INDEX task_runs_deadline ON public.task_runs USING btree (deadline_at) WHERE ((deadline_at IS NOT NULL) AND (finished_at IS NULL));
CREATE INDEX task_runs_kept ON public.task_runs USING btree (kept_from) WHERE (kept_from IS NOT NULL);
CREATE UNIQUE INDEX task_runs_key ON public.task_runs USING btree (run_id, "position", item);
CREATE INDEX task_runs_look ON public.task_runs USING btree (next_look_at) WHERE (next_look_at IS NOT NULL);
CREATE INDEX task_runs_placeable ON public.task_runs USING btree (pool_id, shape_hash, (((priority)::numeric - floor((EXTRACT(epoch FROM (ready_at AT TIME ZONE 'UTC'::text)) / (60)::numeric)))) DESC, rank DESC, ready_at, id) WHERE (state = ANY (ARRAY['ready'::text, 'blocked'::text]));
CREATE INDEX task_runs_retry ON public.task_runs USING btree (retry_at) WHERE (state = 'retry-wait'::text);
CREATE INDEX task_runs_unplaced ON public.task_runs USING btree (id) WHERE ((pool_id IS NULL) AND (state = 'ready'::text));
CREATE INDEX task_runs_waiting_outside ON public.task_runs USING btree (ready_at, id) WHERE ((state = 'blocked'::text) AND (pool_id IS NULL));

create table upstream_arrivals (
  workflow_id uuid not null,
  schedule_id uuid not null,
  day date not null,
  slot_at timestamp with time zone not null,
  is_new boolean not null default true,
  arrived_at timestamp with time zone not null default clock_timestamp(),
  constraint upstream_arrivals_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id) ON DELETE CASCADE,
  constraint upstream_arrivals_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id) ON DELETE CASCADE,
  constraint upstream_arrivals_pkey PRIMARY KEY (workflow_id, day, schedule_id, slot_at)
);
CREATE INDEX upstream_arrivals_new ON public.upstream_arrivals USING btree (workflow_id) WHERE is_new;
CREATE INDEX upstream_arrivals_slot ON public.upstream_arrivals USING btree (workflow_id, slot_at);

create table upstream_counts (
  schedule_id uuid not null,
  since date not null,
  horizon xid8,
  is_seeded boolean not null default false,
  needs_look boolean not null default true,
  constraint upstream_counts_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id) ON DELETE CASCADE,
  constraint upstream_counts_pkey PRIMARY KEY (schedule_id)
);
CREATE INDEX upstream_counts_look ON public.upstream_counts USING btree (schedule_id) WHERE needs_look;

create table upstream_dates (
  schedule_id uuid not null,
  day date not null,
  fire_at timestamp with time zone not null,
  fired_at timestamp with time zone,
  constraint upstream_dates_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id) ON DELETE CASCADE,
  constraint upstream_dates_pkey PRIMARY KEY (schedule_id, day)
);
CREATE INDEX upstream_dates_ready ON public.upstream_dates USING btree (schedule_id, fire_at) WHERE (fired_at IS NULL);

create table users (
  id uuid not null,
  name text not null,
  password_hash text,
  is_admin boolean not null default false,
  created_at timestamp with time zone not null default clock_timestamp(),
  disabled_at timestamp with time zone,
  display_name text not null default ''::text,
  email text,
  source text not null default 'local'::text,
  subject text,
  must_change_password boolean not null default false,
  last_sign_in_at timestamp with time zone,
  removed_at timestamp with time zone,
  issuer text,
  constraint users_source_check CHECK ((source = ANY (ARRAY['local'::text, 'oidc'::text, 'ldap'::text]))),
  constraint users_subject_of_source CHECK (((source = 'local'::text) = (subject IS NULL))),
  constraint users_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_name ON public.users USING btree (lower(name)) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX users_subject ON public.users USING btree (source, subject, COALESCE(issuer, ''::text)) WHERE ((removed_at IS NULL) AND (subject IS NOT NULL));

create table watches (
  task_run_id uuid not null,
  run_id uuid not null,
  question jsonb not null,
  every_seconds double precision not null,
  due_at timestamp with time zone not null default clock_timestamp(),
  looks integer not null default 0,
  id uuid not null default gen_random_uuid(),
  constraint watches_pkey PRIMARY KEY (task_run_id),
  constraint watches_id UNIQUE (id)
);
CREATE INDEX watches_due ON public.watches USING btree (due_at);

create table webhook_deliveries (
  id uuid not null,
  schedule_id uuid not null,
  delivery_id text,
  outcome text not null,
  code text,
  detail text,
  explanation jsonb,
  run_id uuid,
  repeats integer not null default 0,
  bytes integer not null,
  sent_at timestamp with time zone,
  received_at timestamp with time zone not null default clock_timestamp(),
  source text,
  constraint webhook_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'refused'::text]))),
  constraint webhook_deliveries_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id),
  constraint webhook_deliveries_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX webhook_deliveries_accepted ON public.webhook_deliveries USING btree (schedule_id, delivery_id) WHERE (outcome = 'accepted'::text);
CREATE INDEX webhook_deliveries_received ON public.webhook_deliveries USING btree (received_at);
CREATE INDEX webhook_deliveries_schedule ON public.webhook_deliveries USING btree (schedule_id, id DESC);

create table webhooks (
  schedule_id uuid not null,
  address text not null,
  sealed_key bytea not null,
  key_at timestamp with time zone not null default clock_timestamp(),
  previous_key bytea,
  previous_until timestamp with time zone,
  window_at timestamp with time zone not null default clock_timestamp(),
  window_count integer not null default 0,
  constraint webhooks_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id),
  constraint webhooks_pkey PRIMARY KEY (schedule_id),
  constraint webhooks_address_key UNIQUE (address)
) with (fillfactor=70);

create table workflow_calls (
  workflow_id uuid not null,
  version integer not null,
  callee_id uuid not null,
  callee_version integer not null default 0,
  constraint workflow_calls_callee_id_fkey FOREIGN KEY (callee_id) REFERENCES workflows(id),
  constraint workflow_calls_workflow_id_version_fkey FOREIGN KEY (workflow_id, version) REFERENCES workflow_versions(workflow_id, version),
  constraint workflow_calls_pkey PRIMARY KEY (workflow_id, version, callee_id, callee_version)
);
CREATE INDEX workflow_calls_callee ON public.workflow_calls USING btree (callee_id);

create table workflow_versions (
  workflow_id uuid not null,
  version integer not null,
  definition jsonb not null,
  spec jsonb not null,
  task_count integer not null default jsonb_array_length((spec -> 'tasks'::text)),
  source text,
  checksum text not null,
  created_by uuid,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint workflow_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint workflow_versions_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id),
  constraint workflow_versions_pkey PRIMARY KEY (workflow_id, version)
);

create table workflows (
  id uuid not null,
  project_id uuid not null,
  name text not null,
  description text not null default ''::text,
  latest_version integer not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint workflows_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint workflows_pkey PRIMARY KEY (id),
  constraint workflows_project_id_name_key UNIQUE (project_id, name)
);

create table working_files (
  id uuid not null,
  attempt_id uuid not null,
  task_run_id uuid not null,
  fence integer not null,
  path text not null,
  bytes bigint not null,
  sha256 text not null,
  begun_at timestamp with time zone not null default clock_timestamp(),
  stored_at timestamp with time zone,
  stale_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint working_files_pkey PRIMARY KEY (id)
);
CREATE INDEX working_files_by_attempt ON public.working_files USING btree (attempt_id);
CREATE UNIQUE INDEX working_files_by_path ON public.working_files USING btree (attempt_id, path) WHERE ((stored_at IS NOT NULL) AND (stale_at IS NULL));
CREATE INDEX working_files_by_task_run ON public.working_files USING btree (task_run_id);
CREATE INDEX working_files_live ON public.working_files USING btree (begun_at) WHERE (stale_at IS NULL);
CREATE INDEX working_files_stale ON public.working_files USING btree (stale_at) WHERE ((stale_at IS NOT NULL) AND (removed_at IS NULL));
