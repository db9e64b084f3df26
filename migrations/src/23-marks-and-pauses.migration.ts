import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Task runs wait for a paused run to go on, and end as someone decided once their attempt is stopped. */
export class MarksAndPauses1764600000023 implements MigrationInterface {
  readonly name = 'MarksAndPauses1764600000023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table task_runs drop constraint task_runs_state_check');
    await runner.query(
      `alter table task_runs add constraint task_runs_state_check check
         (state in ('waiting', 'ready', 'blocked', 'dispatched', 'running', 'retry-wait', 'paused', 'succeeded', 'failed', 'skipped', 'cancelled'))`,
    );
    await runner.query('alter table task_runs add column mark jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
