import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logs leave Postgres for the blob store. */
export class LogArchives1764600000005 implements MigrationInterface {
  name = 'LogArchives1764600000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [logArchives, servers]) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Archived logs have left log_chunks: restore a backup instead.');
  }
}

// One row per attempt whose log has left log_chunks, or is about to: whoever writes its blob holds `claim_id` until `claimed_until`, and names the blob after it.
// `blob_index` says where in the blob which chunks are; `stale_blobs` are names that can never be recorded any more and are to be deleted. A row with
// `expired_at` stays and tells that there was a log.
const logArchives = `
create table log_archives (
  attempt_id uuid primary key,
  claim_id uuid,
  claimed_until timestamptz,
  blob_id uuid,
  blob_index jsonb,
  archived_at timestamptz,
  expired_at timestamptz,
  stale_blobs uuid[] not null default '{}',
  check ((blob_id is null) = (blob_index is null))
);
create index log_archives_kept on log_archives (attempt_id) where expired_at is null;
create index log_archives_stale on log_archives (attempt_id) where stale_blobs <> '{}';
`;

// The servers that run, and which blob store each sees (null while it cannot be reached): all must see the same.
const servers = `
create table servers (
  id uuid primary key,
  blob_store text,
  seen_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
`;
