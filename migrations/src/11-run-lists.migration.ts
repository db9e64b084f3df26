import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of a million runs by state, start and duration; views of lists that people save; actions on many runs. */
export class RunLists1764600000011 implements MigrationInterface {
  readonly name = 'RunLists1764600000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexes);
    await runner.query(tables);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

// Every state by itself replaces the index of the failed ones: as many entries for each run, and no state is rare enough to be looked for in vain among a million.
// The lengths of runs are read out of the index alone, however far a page is.
// Most runs come from schedules; what else started one is rare. Reruns are found from the run that they repeat.
const indexes = `
create index runs_state on runs (state, id desc);
drop index runs_failed;
create index runs_by_hand on runs (trigger, id desc) where trigger <> 'schedule';
create index runs_duration on runs (state, (finished_at - started_at), id) include (started_at, finished_at, project_id) where finished_at is not null and started_at is not null;
create index runs_reruns on runs (rerun_of) where rerun_of is not null;
`;

const tables = `
create table saved_views (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  page text not null,
  name text not null,
  query jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (user_id, page, name)
);
create table run_bulks (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  action text not null check (action in ('cancel', 'rerun-all', 'rerun-failed')),
  run_ids uuid[] not null,
  done int not null default 0,
  succeeded int not null default 0,
  reasons jsonb not null default '[]',
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  stopped_at timestamptz
);
create index run_bulks_open on run_bulks (id) where finished_at is null;
create index run_bulks_user on run_bulks (user_id, id desc);
`;
