import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users of several sources, groups, roles per project, sessions that can be told apart, and sign-in failures that every server knows. */
export class Access1764600000001 implements MigrationInterface {
  name = 'Access1764600000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [users, groups, projects, sessions, failures]) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('What users, groups and roles hold cannot be told in the schema before: restore a backup instead.');
  }
}

// A removed user keeps its row for the history that names it, and its name is free again.
const users = `
alter table users
  alter column password_hash drop not null,
  add column display_name text not null default '',
  add column email text,
  add column source text not null default 'local' check (source in ('local', 'oidc', 'ldap')),
  add column subject text,
  add column must_change_password boolean not null default false,
  add column last_sign_in_at timestamptz,
  add column removed_at timestamptz,
  add constraint users_subject_of_source check ((source = 'local') = (subject is null));
alter table users drop constraint users_name_key;
create unique index users_name on users (lower(name)) where removed_at is null;
create unique index users_subject on users (source, subject) where removed_at is null and subject is not null;
`;

const groups = `
create table groups (
  id uuid primary key,
  name text not null,
  description text not null default '',
  external_name text,
  is_platform_admin boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);
create unique index groups_name on groups (lower(name));
create unique index groups_external_name on groups (external_name) where external_name is not null;
create table group_members (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  source text not null check (source in ('manual', 'directory')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (group_id, user_id, source)
);
create index group_members_user on group_members (user_id);
create table role_bindings (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  user_id uuid references users on delete cascade,
  group_id uuid references groups on delete cascade,
  role text not null check (role in ('viewer', 'operator', 'developer', 'admin')),
  created_by uuid references users,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(user_id, group_id) = 1)
);
create unique index role_bindings_user on role_bindings (user_id, project_id) where user_id is not null;
create unique index role_bindings_group on role_bindings (group_id, project_id) where group_id is not null;
create index role_bindings_project on role_bindings (project_id);
`;

// Workflow files name their project, so that the names a project had before go on to find it. A removed one gives its name back by taking one nobody can write.
const projects = `
alter table projects
  add column former_names text[] not null default '{}',
  add column removed_at timestamptz;
`;

const sessions = `
alter table sessions
  add column address text,
  add column user_agent text,
  add column last_seen_at timestamptz not null default clock_timestamp();
create index sessions_user on sessions (user_id);
alter table api_tokens add column project_id uuid references projects;
create index api_tokens_user on api_tokens (user_id);
`;

// Keys are digests: people type passwords into the field for the name.
const failures = `
create table sign_in_failures (
  key bytea primary key,
  failures int not null,
  first_at timestamptz not null,
  last_at timestamptz not null
) with (fillfactor = 70);
create index sign_in_failures_last on sign_in_failures (last_at);
`;
