import { type Sql, sqlOutsideTransaction } from '@medley/database';
import type { DataSource } from 'typeorm';
import type { BlobStore } from '../blobs/blob-store.js';
import { fileBlobKey } from './file-blob-key.js';

const BATCH = 200;
const EXPIRED_AT_ONCE = 1000;

/** What is not stored after so long was given up by whoever sent it. */
const ABANDONED_AFTER = `interval '1 day'`;

/** Takes files out of use that are past the time that files are kept, and what was never sent to its end. */
export async function expireFiles(source: DataSource, keepSeconds: number): Promise<void> {
  const sql = sqlOutsideTransaction(source);
  await takeOut(sql, 'begun_at < clock_timestamp() - make_interval(secs => $1)', [keepSeconds]);
  await takeOut(sql, `stored_at is null and begun_at < clock_timestamp() - ${ABANDONED_AFTER}`, []);
}

/** In batches, each a transaction of its own; what another server is at is left to it. */
async function takeOut(sql: Sql, condition: string, values: readonly number[]): Promise<void> {
  const statement = `
    update working_files set stale_at = clock_timestamp() where id in (
      select id from working_files where stale_at is null and ${condition} order by begun_at limit ${EXPIRED_AT_ONCE} for update skip locked
    ) returning 1`;
  while ((await sql.query(statement, [...values])).length === EXPIRED_AT_ONCE);
}

/** Takes the files of attempts out of use that are about to be removed themselves: a row stays until its blob has gone. */
export async function dropFiles(sql: Sql, attemptIds: readonly string[]): Promise<void> {
  await sql.query(
    `update working_files set stale_at = coalesce(stale_at, clock_timestamp()), stored_at = null where attempt_id = any($1) and removed_at is null`,
    [attemptIds],
  );
  await sql.query('delete from working_files where attempt_id = any($1) and removed_at is not null', [attemptIds]);
}

/**
 * Deletes the blobs of files that are out of use. The row goes afterwards, so one that is killed here is followed by one that deletes the blob again; that of a file that
 * has expired stays to tell so. Returns whether there may be more.
 */
export async function removeStaleFiles(source: DataSource, store: BlobStore): Promise<boolean> {
  const sql = sqlOutsideTransaction(source);
  const rows = await sql.query<{ id: string; attempt_id: string }>(
    `select id, attempt_id from working_files where stale_at is not null and removed_at is null order by stale_at limit ${BATCH}`,
  );
  for (const { id, attempt_id } of rows) await store.delete(fileBlobKey(attempt_id, id));
  const ids = rows.map(({ id }) => id);
  await sql.query('delete from working_files where id = any($1) and stored_at is null', [ids]);
  await sql.query('update working_files set removed_at = clock_timestamp() where id = any($1) and stored_at is not null', [ids]);
  return rows.length === BATCH;
}
