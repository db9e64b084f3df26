import type { LogPage, LogPart, LogQuery } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { logStreamNumbers } from '../agent-api/log-chunks.js';
import type { BlobStore } from '../blobs/blob-store.js';
import { type ArchivedLog, logBlobKey, readArchivedChunks } from './attempt-log-archive.js';
import type { LogIndex } from './attempt-log-format.js';
import {
  type ChunkPage,
  type ChunkQuery,
  formatPosition,
  type LogChunk,
  lastOffsets,
  parsePosition,
  readChunkRows,
} from './attempt-log-rows.js';
import { readTail } from './attempt-log-tail.js';
import { textOfChunk } from './log-text.js';

type StreamName = LogPart['stream'];
const streamNames = new Map(Object.entries(logStreamNumbers).map(([name, number]) => [number, name as StreamName]));

interface LogState {
  ended: boolean;
  archived: ArchivedLog | null;
}

interface PageQuery extends ChunkQuery {
  tail: boolean;
}

/** `lastOffsets` tells per stream which chunk is its last. */
interface ReadPage extends ChunkPage {
  isStart: boolean;
  lastOffsets: ReadonlyMap<number, number>;
}

/**
 * Throws not-found, log-expired, and for an archived log what `readArchivedChunks` throws. `complete` once the attempt has ended and the page holds its last
 * chunk: reports are stored in order.
 */
export async function readLog(sql: Sql, store: BlobStore, attemptId: string, { stream, after, limit, tail }: LogQuery): Promise<LogPage> {
  const query = { stream: stream ? logStreamNumbers[stream] : null, after: parsePosition(after), limit, tail: tail ?? false };
  const { ended, chunks, isStart, isEnd, lastOffsets } = await readSettled(sql, store, attemptId, query);
  const parts = chunks.map((chunk) => partOf(chunk, ended && lastOffsets.get(chunk.stream) === chunk.offset));
  const last = chunks.at(-1);
  return { attemptId, parts, next: last ? formatPosition(last) : (after ?? ''), complete: ended && isEnd, isStart };
}

/** The whole log, read in pages. What keeps it from being read at all is thrown before anything is yielded. */
export async function openWholeLog(sql: Sql, store: BlobStore, attemptId: string, stream?: StreamName): Promise<AsyncGenerator<string>> {
  const texts = pagesOf(sql, store, attemptId, stream);
  const first = await texts.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* texts;
  })();
}

async function* pagesOf(sql: Sql, store: BlobStore, attemptId: string, stream?: StreamName): AsyncGenerator<string> {
  let after: string | undefined;
  for (;;) {
    const page = await readLog(sql, store, attemptId, { stream, after, limit: 1_048_576 });
    for (const part of page.parts) yield part.text;
    if (page.parts.length === 0) return;
    after = page.next;
  }
}

/** Chunks leave Postgres in one transaction: a page that was read while that happened is read again. */
async function readSettled(sql: Sql, store: BlobStore, attemptId: string, query: PageQuery): Promise<ReadPage & { ended: boolean }> {
  for (let state = await readState(sql, attemptId); ; ) {
    const [outcome] = await Promise.allSettled([readPage(sql, store, attemptId, state, query)]);
    const now = state.ended ? await readState(sql, attemptId) : state;
    if (now.archived?.key === state.archived?.key) {
      if (outcome.status === 'rejected') throw outcome.reason;
      return { ...outcome.value, ended: state.ended };
    }
    state = now;
  }
}

async function readState(sql: Sql, attemptId: string): Promise<LogState> {
  const [row] = await sql.query<{ ended: boolean; blob_id: string | null; blob_index: LogIndex; expired_at: Date | null }>(
    `select a.finished_at is not null as ended, l.blob_id, l.blob_index, l.expired_at
     from attempts a left join log_archives l on l.attempt_id = a.id where a.id = $1`,
    [attemptId],
  );
  if (!row) throw new AppError('not-found', phrase('no-such-attempt'));
  if (row.expired_at) {
    throw new AppError('log-expired', phrase('log-removed', { at: row.expired_at.toISOString() }));
  }
  return { ended: row.ended, archived: row.blob_id === null ? null : { key: logBlobKey(attemptId, row.blob_id), index: row.blob_index } };
}

/** Chunks that arrive after the log was archived, of an agent that was away for long, stand in Postgres until they are archived too. */
async function readPage(sql: Sql, store: BlobStore, attemptId: string, { archived }: LogState, query: PageQuery): Promise<ReadPage> {
  const inRows = await lastOffsets(sql, attemptId, query.stream === null ? [...streamNames.keys()] : [query.stream]);
  const ends = Object.entries(archived?.index.streams ?? {}).map(([stream, { lastOffset }]) => [Number(stream), lastOffset] as const);
  const merged = new Map([...ends, ...inRows]);
  if (query.tail) return { ...(await readTail(sql, store, attemptId, archived, query.limit)), isEnd: true, lastOffsets: merged };
  const isStart = query.after === null;
  if (!archived) return { ...(await readChunkRows(sql, attemptId, query)), isStart, lastOffsets: merged };
  const page = await readArchivedChunks(store, archived, query);
  const rest = query.limit - page.chunks.reduce((sum, chunk) => sum + chunk.data.length, 0);
  if (inRows.size === 0 || !page.isEnd) return { ...page, isStart, lastOffsets: merged };
  if (rest <= 0) return { ...page, isEnd: false, isStart, lastOffsets: merged };
  const late = await readChunkRows(sql, attemptId, { ...query, limit: rest });
  const continued = late.chunks.map((chunk) => ({ ...chunk, before: chunk.before ?? tailOf(archived, chunk.stream) }));
  return { chunks: [...page.chunks, ...continued], isEnd: late.isEnd, isStart, lastOffsets: merged };
}

function tailOf({ index }: ArchivedLog, stream: number): Buffer | null {
  const end = index.streams[stream];
  return end ? Buffer.from(end.tail, 'base64') : null;
}

function partOf({ stream, offset, before, data, micros }: LogChunk, isLast: boolean): LogPart {
  return {
    stream: streamNames.get(stream)!,
    offset,
    text: textOfChunk(before, data, isLast),
    receivedAt: new Date(Math.floor(micros / 1000)).toISOString(),
  };
}
