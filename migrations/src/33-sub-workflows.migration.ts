import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs that are parts of others: which task of which run has started one, and which versions hold for all runs within one. */
export class SubWorkflows1764600000033 implements MigrationInterface {
  readonly name = 'SubWorkflows1764600000033';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(runs);
    await runner.query(taskRuns);
    await runner.query(calls);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

// No foreign keys to the parent: either may be removed by its age before the other. A task run has one open child at most.
const runs = `
alter table runs add column parent_run_id uuid, add column parent_task_run_id uuid, add column pins jsonb, add column paused_by_parent boolean not null default false, add column of_final_task boolean not null default false;
create index runs_children on runs (parent_run_id, id) where parent_run_id is not null;
create unique index runs_open_child on runs (parent_task_run_id) where parent_task_run_id is not null and finished_at is null;
alter table runs drop constraint runs_trigger_check;
alter table runs add constraint runs_trigger_check check (trigger in ('manual', 'schedule', 'rerun', 'backfill', 'webhook', 'parent'));
`;

// The index holds only what waits for a child: it is read whole to see which children have ended or are to be stopped.
const taskRuns = `
alter table task_runs add column child_run_id uuid, add column continues_run_id uuid;
create index task_runs_children on task_runs (id) where child_run_id is not null and finished_at is null;
`;

// Which workflows each version runs; 0 stands for the latest version.
const calls = `
create table workflow_calls (
  workflow_id uuid not null,
  version int not null,
  callee_id uuid not null references workflows (id),
  callee_version int not null default 0,
  primary key (workflow_id, version, callee_id, callee_version),
  foreign key (workflow_id, version) references workflow_versions (workflow_id, version)
);
create index workflow_calls_callee on workflow_calls (callee_id);
`;
