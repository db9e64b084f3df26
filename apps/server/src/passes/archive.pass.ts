import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { archivedChunks, logBlobKey } from '../attempts/attempt-log-archive.js';
import { LogArchiveWriter, type LogIndex } from '../attempts/attempt-log-format.js';
import { comparePositions, type LogChunk, readChunkRows } from '../attempts/attempt-log-rows.js';
import { BLOB_STORE, type BlobStore, isStoreUnavailable } from '../blobs/blob-store.js';
import { BlobStoreWatch } from '../blobs/blob-store-watch.js';
import { ServerConfig } from '../config.js';
import { LOGGER } from '../logging/logger.js';
import { expireFiles, removeStaleFiles } from '../working-files/files-expiry.js';
import { type ArchiveClaim, claimLogs } from './archive-claims.js';
import { deleteStaleBlobs, expireArchives } from './archive-expiry.js';
import type { PassResult } from './pass-runner.js';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAGE_BYTES = 4_194_304;
const PAUSE_MS = 60_000;

/** Logs that are written side by side: each takes a connection while it is read. */
const AT_ONCE = 4;

type ChunkName = Pick<LogChunk, 'stream' | 'offset'>;

/**
 * Moves the logs of attempts that ended some time ago into the blob store, and removes those past retention from there, and working files likewise. The blob is written first, under a
 * name of its own; one transaction then records it and deletes exactly the chunks that it holds, provided that nobody else has claimed the log meanwhile.
 */
@Injectable()
export class ArchivePass {
  private readonly sql: Sql;
  private position = FIRST_ID;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    @Inject(BlobStoreWatch) private readonly watch: BlobStoreWatch,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  async run(): Promise<PassResult> {
    const keepSeconds = this.config.logRetentionDays * 86_400;
    const expiredMore = await expireArchives(this.source, keepSeconds);
    await expireFiles(this.source, keepSeconds);
    if ((await this.watch.look()) !== 'ok') return {};
    try {
      const archivedMore = await this.archiveNext(keepSeconds);
      const deletedMore = await deleteStaleBlobs(this.source, this.store);
      const filesMore = await removeStaleFiles(this.source, this.store);
      return { again: expiredMore || archivedMore || deletedMore || filesMore };
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      await this.watch.look();
      return { wakeInMs: PAUSE_MS };
    }
  }

  /** Returns whether there is more to look at. */
  private async archiveNext(keepSeconds: number): Promise<boolean> {
    const { claims, next } = await claimLogs(this.source, this.position, this.config.logArchiveAfterHours * 3600, keepSeconds);
    this.position = next ?? FIRST_ID;
    for (let from = 0; from < claims.length; from += AT_ONCE) await this.archiveAll(claims.slice(from, from + AT_ONCE));
    return next !== null;
  }

  private async archiveAll(claims: readonly ArchiveClaim[]): Promise<void> {
    const outcomes = await Promise.allSettled(claims.map((claim) => this.archive(claim)));
    const failures = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ claim: claims[index]!, error: outcome.reason as unknown }] : [],
    );
    for (const { claim, error } of failures) await this.giveBack(claim, error);
    const storeFault = failures.find(({ error }) => isStoreUnavailable(error));
    if (storeFault) throw storeFault.error;
  }

  private async archive(claim: ArchiveClaim): Promise<void> {
    const key = logBlobKey(claim.attempt_id, claim.claim_id);
    const moved: ChunkName[] = [];
    const writer = new LogArchiveWriter();
    await this.store.put(key, writer.encode(this.chunksOf(claim, moved)));
    const recorded = moved.length > 0 && (await inTransaction(this.source, (sql) => record(sql, claim, writer.index, moved)));
    if (!recorded) await this.store.delete(key);
  }

  /** What was archived before and what came after it, in the order of all streams; `moved` gets the chunks that are in Postgres. */
  private async *chunksOf({ attempt_id, blob_id, blob_index }: ArchiveClaim, moved: ChunkName[]): AsyncGenerator<LogChunk> {
    const known = new Set<string>();
    const tails = blob_index?.streams ?? {};
    const rows = this.rowsOf(attempt_id, moved);
    let row = await rows.next();
    if (blob_id !== null && blob_index !== null) {
      for await (const chunk of archivedChunks(this.store, { key: logBlobKey(attempt_id, blob_id), index: blob_index })) {
        for (; !row.done && comparePositions(row.value, chunk) < 0; row = await rows.next()) yield continued(row.value, tails);
        known.add(`${chunk.stream}.${chunk.offset}`);
        yield chunk;
      }
    }
    for (; !row.done; row = await rows.next()) if (!known.has(`${row.value.stream}.${row.value.offset}`)) yield continued(row.value, tails);
  }

  private async *rowsOf(attemptId: string, moved: ChunkName[]): AsyncGenerator<LogChunk, undefined> {
    for (let after: LogChunk | null = null, isEnd = false; !isEnd; ) {
      const page = await readChunkRows(this.sql, attemptId, { stream: null, after, limit: PAGE_BYTES });
      for (const chunk of page.chunks) {
        moved.push({ stream: chunk.stream, offset: chunk.offset });
        yield chunk;
      }
      after = page.chunks.at(-1) ?? null;
      isEnd = page.isEnd;
    }
    return undefined;
  }

  /** The store being away is no fault of this log, so it may be claimed again at once. Any other fault is retried when the claim has run out. */
  private async giveBack({ attempt_id, claim_id }: ArchiveClaim, error: unknown): Promise<void> {
    if (!isStoreUnavailable(error)) {
      this.logger.error({ err: error, attemptId: attempt_id }, 'a log could not be archived; it stays in Postgres');
      return;
    }
    await this.sql.query('update log_archives set claimed_until = null where attempt_id = $1 and claim_id = $2', [attempt_id, claim_id]);
  }
}

/** False when the log was claimed by another or has expired meanwhile: then nothing is changed. */
async function record(sql: Sql, claim: ArchiveClaim, index: LogIndex, moved: readonly ChunkName[]): Promise<boolean> {
  const own = await sql.query(
    `update log_archives set blob_id = claim_id, blob_index = $3, archived_at = clock_timestamp(), claim_id = null, claimed_until = null,
       stale_blobs = array_remove(stale_blobs || blob_id, null)
     where attempt_id = $1 and claim_id = $2 returning 1`,
    [claim.attempt_id, claim.claim_id, JSON.stringify(index)],
  );
  if (own.length === 0) return false;
  await sql.query(
    `delete from log_chunks c using unnest($2::smallint[], $3::bigint[]) as m(stream, byte_offset)
     where c.attempt_id = $1 and c.stream = m.stream and c.byte_offset = m.byte_offset`,
    [claim.attempt_id, moved.map((chunk) => chunk.stream), moved.map((chunk) => chunk.offset)],
  );
  return true;
}

/** The first late chunk of a stream follows the last that was archived before. */
function continued(chunk: LogChunk, tails: LogIndex['streams']): LogChunk {
  const tail = tails[chunk.stream]?.tail;
  return { ...chunk, before: chunk.before ?? (tail === undefined ? null : Buffer.from(tail, 'base64')) };
}
