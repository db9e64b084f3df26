import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';

/** At most so many chunks in a page, however small they are. */
export const MAX_CHUNKS = 2000;

/** Where a chunk stands among all streams: its microsecond of arrival, then its stream, then its offset. */
export interface LogPosition {
  micros: number;
  stream: number;
  offset: number;
}

/** `before` holds the end of the chunk that precedes in the same stream, null when there is none. */
export interface LogChunk extends LogPosition {
  before: Buffer | null;
  data: Buffer;
}

/** What to read: one stream in the order of its bytes, or (null) all in the order in which they were received; `limit` in bytes. */
export interface ChunkQuery {
  stream: number | null;
  after: LogPosition | null;
  limit: number;
}

/** Some chunks in order; `isEnd` when there are no more. */
export interface ChunkPage {
  chunks: LogChunk[];
  isEnd: boolean;
}

export interface ChunkRow {
  stream: number;
  byte_offset: string;
  data: Buffer;
  before: Buffer | null;
  received_micros: string;
}

/** Chunks from a position on, at least one and as many as fit. */
const chunksQuery = (order: string, after: string) => `
select c.stream, c.byte_offset, c.data, c.received_micros,
  (select substring(p.data from greatest(1, octet_length(p.data) - 2)) from log_chunks p
   where p.attempt_id = $1 and p.stream = c.stream and p.byte_offset < c.byte_offset order by p.byte_offset desc limit 1) as before
from (
  select l.*, sum(octet_length(l.data)) over (order by ${order}) - octet_length(l.data) as bytes_before
  from (
    select stream, byte_offset, data, (extract(epoch from received_at) * 1000000)::bigint as received_micros
    from log_chunks where attempt_id = $1 and ($2::smallint is null or stream = $2)
  ) l where ${after} order by ${order} limit ${MAX_CHUNKS}
) c where c.bytes_before < $6 order by ${order}`;
const oneStream = chunksQuery('byte_offset', '($3::bigint is null or $4::smallint is null or byte_offset > $5::bigint)');
const allStreams = chunksQuery(
  'received_micros, stream, byte_offset',
  '($3::bigint is null or (received_micros, stream, byte_offset) > ($3, $4::smallint, $5::bigint))',
);

/** A page of the chunks that are in Postgres. */
export async function readChunkRows(sql: Sql, attemptId: string, query: ChunkQuery): Promise<ChunkPage> {
  const chunks = await chunksFrom(sql, attemptId, query);
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.data.length, 0);
  if (bytes < query.limit && chunks.length < MAX_CHUNKS) return { chunks, isEnd: true };
  const following = await chunksFrom(sql, attemptId, { ...query, after: chunks.at(-1)!, limit: 1 });
  return { chunks, isEnd: following.length === 0 };
}

/** Offset of the last chunk in Postgres, for those of the streams that have one. */
export async function lastOffsets(sql: Sql, attemptId: string, streams: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql.query<{ stream: number; last: string }>(
    `select s.stream, l.byte_offset as last from unnest($2::smallint[]) as s(stream) cross join lateral (
       select byte_offset from log_chunks where attempt_id = $1 and stream = s.stream order by byte_offset desc limit 1
     ) l`,
    [attemptId, streams],
  );
  return new Map(rows.map((row) => [row.stream, Number(row.last)]));
}

async function chunksFrom(sql: Sql, attemptId: string, { stream, after, limit }: ChunkQuery): Promise<LogChunk[]> {
  const position = after ? [after.micros, after.stream, after.offset] : [null, null, null];
  const rows = await sql.query<ChunkRow>(stream === null ? allStreams : oneStream, [attemptId, stream, ...position, limit]);
  return rows.map(chunkOfRow);
}

export function chunkOfRow(row: ChunkRow): LogChunk {
  return {
    micros: Number(row.received_micros),
    stream: row.stream,
    offset: Number(row.byte_offset),
    before: row.before,
    data: row.data,
  };
}

/** Which of two positions comes first among all streams: negative, 0 or positive. */
export function comparePositions(left: LogPosition, right: LogPosition): number {
  return left.micros - right.micros || left.stream - right.stream || left.offset - right.offset;
}

export function formatPosition({ micros, stream, offset }: LogPosition): string {
  return `${micros}.${stream}.${offset}`;
}

/** Null at the start. Throws cursor-invalid. */
export function parsePosition(after: string | undefined): LogPosition | null {
  if (after === undefined || after === '') return null;
  const parts = /^(\d{1,15}|[1-8]\d{15})\.(\d{1,3})\.(\d{1,15})$/.exec(after);
  if (!parts) throw new AppError('cursor-invalid', phrase('log-cursor-altered'));
  return { micros: Number(parts[1]), stream: Number(parts[2]), offset: Number(parts[3]) };
}
