import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7LowerBound } from '@medley/database';
import type { DataSource } from 'typeorm';
import { logBlobKey } from '../attempts/attempt-log-archive.js';
import type { BlobStore } from '../blobs/blob-store.js';

const BATCH = 200;

/** Whoever is writing finds its claim gone; what it wrote and what was recorded is to be deleted. */
const setExpired = `expired_at = clock_timestamp(), claim_id = null, claimed_until = null, blob_id = null, blob_index = null,
  stale_blobs = array_remove(log_archives.stale_blobs || log_archives.claim_id || log_archives.blob_id, null)`;

/**
 * Takes the archives of attempts that ended longer ago than logs are kept out of use: they are told to be removed, and their blobs go afterwards. Returns
 * whether there may be more.
 */
export async function expireArchives(source: DataSource, keepSeconds: number): Promise<boolean> {
  return inTransaction(source, async (sql) => {
    const [clock] = await sql.query<{ ms: string }>(
      'select (extract(epoch from clock_timestamp() - make_interval(secs => $1)) * 1000)::bigint as ms',
      [keepSeconds],
    );
    const expired = await sql.query(
      `update log_archives set ${setExpired} where attempt_id in (
         select l.attempt_id from log_archives l join attempts a on a.id = l.attempt_id
         where l.expired_at is null and l.attempt_id < $1 and a.finished_at < clock_timestamp() - make_interval(secs => $2)
         order by l.attempt_id limit ${BATCH} for update of l skip locked
       ) returning 1`,
      [uuidv7LowerBound(Number(clock!.ms)), keepSeconds],
    );
    return expired.length === BATCH;
  });
}

/** Removes chunks past retention: never archived in all that time, or delivered after their log had expired. */
export async function expireChunks(sql: Sql, attemptIds: readonly string[]): Promise<void> {
  await sql.query(
    `insert into log_archives (attempt_id, expired_at) select id, clock_timestamp() from unnest($1::uuid[]) as e(id) order by id
     on conflict (attempt_id) do update set ${setExpired}`,
    [attemptIds],
  );
  await sql.query('delete from log_chunks where attempt_id = any($1)', [attemptIds]);
}

/** Removes the logs of attempts that are about to be removed themselves: an archive stays, out of use, until its blobs have gone. */
export async function dropLogs(sql: Sql, attemptIds: readonly string[]): Promise<void> {
  await sql.query('delete from log_chunks where attempt_id = any($1)', [attemptIds]);
  await sql.query(`update log_archives set ${setExpired} where attempt_id = any($1)`, [attemptIds]);
  await sql.query(`delete from log_archives where attempt_id = any($1) and stale_blobs = '{}'`, [attemptIds]);
}

/**
 * Deletes the blobs that nothing refers to any more: replaced, left behind by a killed try, or expired. Their names are forgotten afterwards, so one that is
 * killed here is followed by one that deletes them again. Returns whether there may be more.
 */
export async function deleteStaleBlobs(source: DataSource, store: BlobStore): Promise<boolean> {
  const sql = sqlOutsideTransaction(source);
  const rows = await sql.query<{ attempt_id: string; stale_blobs: string[] }>(
    `select attempt_id, stale_blobs from log_archives where stale_blobs <> '{}' order by attempt_id limit ${BATCH}`,
  );
  for (const { attempt_id, stale_blobs } of rows) {
    for (const blobId of stale_blobs) await store.delete(logBlobKey(attempt_id, blobId));
    await sql.query(
      `update log_archives set stale_blobs = array(select unnest(stale_blobs) except select unnest($2::uuid[])) where attempt_id = $1`,
      [attempt_id, stale_blobs],
    );
    await sql.query(
      `delete from log_archives where attempt_id = $1 and expired_at is not null and stale_blobs = '{}' and not exists (select 1 from attempts where id = $1)`,
      [attempt_id],
    );
  }
  return rows.length === BATCH;
}
