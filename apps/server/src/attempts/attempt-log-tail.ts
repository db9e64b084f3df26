import type { Sql } from '@medley/database';
import type { BlobStore } from '../blobs/blob-store.js';
import { type ArchivedLog, readBlock } from './attempt-log-archive.js';
import { type ChunkRow, chunkOfRow, type LogChunk, MAX_CHUNKS } from './attempt-log-rows.js';

/** The last chunks among all streams, in their order; `isStart` when nothing stands before them. */
export interface TailPage {
  chunks: LogChunk[];
  isStart: boolean;
}

/** Chunks that arrived after the log was archived stand in Postgres, behind all that are archived. `limit` in bytes; at least one chunk. */
export async function readTail(
  sql: Sql,
  store: BlobStore,
  attemptId: string,
  archived: ArchivedLog | null,
  limit: number,
): Promise<TailPage> {
  const late = await lastRows(sql, attemptId, limit);
  if (!archived || !late.isStart) return late;
  const earlier = await lastArchived(store, archived, limit - bytesOf(late.chunks));
  return { chunks: [...earlier.chunks, ...late.chunks], isStart: earlier.isStart };
}

const lastRowsQuery = `
select c.stream, c.byte_offset, c.data, c.received_micros,
  (select substring(p.data from greatest(1, octet_length(p.data) - 2)) from log_chunks p
   where p.attempt_id = $1 and p.stream = c.stream and p.byte_offset < c.byte_offset order by p.byte_offset desc limit 1) as before
from (
  select l.*, sum(octet_length(l.data)) over (order by received_micros desc, stream desc, byte_offset desc) - octet_length(l.data) as bytes_behind
  from (
    select stream, byte_offset, data, (extract(epoch from received_at) * 1000000)::bigint as received_micros from log_chunks where attempt_id = $1
  ) l order by received_micros desc, stream desc, byte_offset desc limit ${MAX_CHUNKS + 1}
) c where c.bytes_behind < $2 order by received_micros desc, stream desc, byte_offset desc`;

async function lastRows(sql: Sql, attemptId: string, limit: number): Promise<TailPage> {
  const rows = await sql.query<ChunkRow>(lastRowsQuery, [attemptId, limit]);
  const chunks = rows.slice(0, MAX_CHUNKS).map(chunkOfRow).reverse();
  // Fewer bytes than there was room for: there are no more.
  return { chunks, isStart: rows.length <= MAX_CHUNKS && bytesOf(chunks) < limit };
}

async function lastArchived(store: BlobStore, log: ArchivedLog, limit: number): Promise<TailPage> {
  let chunks: LogChunk[] = [];
  let left = log.index.blocks.length;
  while (left > 0 && bytesOf(chunks) < limit) {
    left -= 1;
    chunks = [...(await readBlock(store, log, log.index.blocks[left]!)), ...chunks];
  }
  return { chunks, isStart: left === 0 };
}

function bytesOf(chunks: readonly LogChunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.data.length, 0);
}
