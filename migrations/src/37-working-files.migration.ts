import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Files that attempts have kept; their bytes lie in the blob store under the row's id. A row is there before its blob and goes after it, so that no blob is without one:
 * `stored_at` is missing until the blob is durable, and with `stale_at` nobody may use it any more and the blob is to be deleted; `removed_at` tells that it was. What has expired stays, to say so, as long as its
 * attempt. It points at no table, since it outlives
 * its run until the blob has gone.
 */
export class WorkingFiles1764600000037 implements MigrationInterface {
  readonly name = 'WorkingFiles1764600000037';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table working_files (
        id uuid primary key,
        attempt_id uuid not null,
        task_run_id uuid not null,
        fence int not null,
        path text not null,
        bytes bigint not null,
        sha256 text not null,
        begun_at timestamptz not null default clock_timestamp(),
        stored_at timestamptz,
        stale_at timestamptz,
        removed_at timestamptz
      )`);
    await runner.query(
      'create unique index working_files_by_path on working_files (attempt_id, path) where stored_at is not null and stale_at is null',
    );
    await runner.query('create index working_files_by_attempt on working_files (attempt_id)');
    await runner.query('create index working_files_by_task_run on working_files (task_run_id)');
    await runner.query('create index working_files_stale on working_files (stale_at) where stale_at is not null and removed_at is null');
    await runner.query('create index working_files_live on working_files (begun_at) where stale_at is null');
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
