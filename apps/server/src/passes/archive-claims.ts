import { inTransaction, uuidv7, uuidv7LowerBound } from '@medley/database';
import type { DataSource } from 'typeorm';
import type { LogIndex } from '../attempts/attempt-log-format.js';
import { expireChunks } from './archive-expiry.js';

/** Attempts looked at in one transaction. */
export const BATCH = 20;

/** For so long nobody else writes the blob of a claimed log; a writer that takes longer finds out when it is to be recorded. */
const CLAIM_MINUTES = 10;

/** The right to archive the log of one attempt, as a blob named after the claim. `blob_id` is what was archived before, without the late chunks. */
export interface ArchiveClaim {
  attempt_id: string;
  claim_id: string;
  blob_id: string | null;
  blob_index: LogIndex | null;
}

interface Scanned {
  attempt_id: string;
  due: boolean;
  expired: boolean;
}

export interface ClaimedLogs {
  claims: ArchiveClaim[];
  expired: number;
  /** The last attempt looked at; null when there are no more. */
  next: string | null;
}

// Chunks leave log_chunks when they are archived, so what it holds of old attempts is what is left to do: the attempts are found by skipping from one to the
// next in its primary key. Those whose attempt is locked are left to whoever locks it.
const scan = `
with recursive ids as (
  (select attempt_id from log_chunks where attempt_id > $1 and attempt_id < $2 order by attempt_id limit 1)
  union all
  select (select c.attempt_id from log_chunks c where c.attempt_id > ids.attempt_id and c.attempt_id < $2 order by c.attempt_id limit 1)
  from ids where ids.attempt_id is not null
), page as (select attempt_id from ids where attempt_id is not null limit ${BATCH})
select page.attempt_id, a.due, a.expired from page left join lateral (
  select a.finished_at < clock_timestamp() - make_interval(secs => $3) as due, a.finished_at < clock_timestamp() - make_interval(secs => $4) as expired
  from attempts a where a.id = page.attempt_id
) a on true order by page.attempt_id`;

const claim = `
insert into log_archives (attempt_id, claim_id, claimed_until)
select a.id, c.claim_id, clock_timestamp() + interval '${CLAIM_MINUTES} minutes'
from unnest($1::uuid[], $2::uuid[]) as c(attempt_id, claim_id) join attempts a on a.id = c.attempt_id
order by a.id for no key update of a skip locked
on conflict (attempt_id) do update set claim_id = excluded.claim_id, claimed_until = excluded.claimed_until,
  stale_blobs = array_remove(log_archives.stale_blobs || log_archives.claim_id, null)
where log_archives.expired_at is null and (log_archives.claimed_until is null or log_archives.claimed_until < clock_timestamp())
returning attempt_id, claim_id, blob_id, blob_index`;

/**
 * Claims the next logs that are to be archived, after the attempt `after`, and removes those that are past retention already. Nothing is held when it returns.
 */
export async function claimLogs(source: DataSource, after: string, archiveAfterSeconds: number, keepSeconds: number): Promise<ClaimedLogs> {
  return inTransaction(source, async (sql) => {
    const [clock] = await sql.query<{ ms: string }>(
      'select (extract(epoch from clock_timestamp() - make_interval(secs => $1)) * 1000)::bigint as ms',
      [archiveAfterSeconds],
    );
    const rows = await sql.query<Scanned>(scan, [after, uuidv7LowerBound(Number(clock!.ms)), archiveAfterSeconds, keepSeconds]);
    const expired = rows.filter((row) => row.expired).map((row) => row.attempt_id);
    const due = rows.filter((row) => row.due && !row.expired).map((row) => row.attempt_id);
    if (expired.length > 0) await expireChunks(sql, expired);
    const claims = due.length > 0 ? await sql.query<ArchiveClaim>(claim, [due, due.map(() => uuidv7())]) : [];
    return { claims, expired: expired.length, next: rows.length < BATCH ? null : rows.at(-1)!.attempt_id };
  });
}
