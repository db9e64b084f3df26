import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Task runs that no node ever gets: they have no pool, so that the place pass never sees them. Also the instances of mapped and repeated tasks, and the tasks of
 * `finally`.
 */
export class UnplacedTaskRuns1764600000021 implements MigrationInterface {
  readonly name = 'UnplacedTaskRuns1764600000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(unplaced);
    await runner.query(instances);
    await runner.query(finals);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}

// Both indexes hold nothing but task runs without a pool: all others pay only for looking at the condition.
const unplaced = `
alter table task_runs alter column pool_id drop not null, alter column shape_hash drop not null, add column next_look_at timestamptz;
create index task_runs_unplaced on task_runs (id) where pool_id is null and state = 'ready';
create index task_runs_look on task_runs (next_look_at) where next_look_at is not null;
`;

// -1 and not null: the key stays one that finds a task by all of its columns, and within eight bytes beside the run's id it grows by nothing.
const instances = `
alter table task_runs add column parent_id uuid, add column item int not null default -1, add column item_value jsonb;
drop index task_runs_key;
create unique index task_runs_key on task_runs (run_id, position, item);
`;

const finals = `
alter table runs add column final_tasks int not null default 0, add column finals_cancelled boolean not null default false;
`;
