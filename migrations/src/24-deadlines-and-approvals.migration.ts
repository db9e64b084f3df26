import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deadlines of task runs, waiting included; and what waits for something outside without holding a slot, of which there is little beside all that has ended. */
export class DeadlinesAndApprovals1764600000024 implements MigrationInterface {
  readonly name = 'DeadlinesAndApprovals1764600000024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table task_runs add column deadline_seconds real, add column deadline_at timestamptz');
    await runner.query('create index task_runs_deadline on task_runs (deadline_at) where deadline_at is not null and finished_at is null');
    await runner.query(`create index task_runs_waiting_outside on task_runs (ready_at, id) where state = 'blocked' and pool_id is null`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
