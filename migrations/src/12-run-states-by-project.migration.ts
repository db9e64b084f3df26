import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs of a state within a project, also where there are none; task runs that a rerun kept, so that old ones can be removed without reading all. */
export class RunStatesByProject1764600000012 implements MigrationInterface {
  readonly name = 'RunStatesByProject1764600000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index runs_project_state on runs (project_id, state, id desc)');
    await runner.query('create index task_runs_kept on task_runs (kept_from) where kept_from is not null');
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
