import type { LogPage, LogPart, LogQuery } from '@medley/contracts';
import { AppError } from '@medley/core';
import type { Sql } from '@medley/database';
import { logStreamNumbers } from '../agent-api/log-chunks.js';
import { textOfChunk } from './log-text.js';

type StreamName = LogPart['stream'];
const streamNames = new Map(Object.entries(logStreamNumbers).map(([name, number]) => [number, name as StreamName]));
const MAX_CHUNKS = 2000;

interface ChunkRow {
  stream: number;
  byte_offset: string;
  data: Buffer;
  before: Buffer | null;
  is_last: boolean;
  received_at: Date;
  received_micros: string;
}

/**
 * Chunks of an attempt from a position on, at least one and as many as fit. One stream is in the order of its bytes, all together are in the order in which
 * they were received. `before` holds the end of the chunk that precedes in the same stream.
 */
const chunksQuery = (order: string, after: string) => `
select c.stream, c.byte_offset, c.data, c.received_at, c.received_micros,
  (select substring(p.data from greatest(1, octet_length(p.data) - 2)) from log_chunks p
   where p.attempt_id = $1 and p.stream = c.stream and p.byte_offset < c.byte_offset order by p.byte_offset desc limit 1) as before,
  not exists (select 1 from log_chunks f where f.attempt_id = $1 and f.stream = c.stream and f.byte_offset > c.byte_offset) as is_last
from (
  select l.*, sum(octet_length(l.data)) over (order by ${order}) - octet_length(l.data) as bytes_before
  from (
    select stream, byte_offset, data, received_at, (extract(epoch from received_at) * 1000000)::bigint as received_micros
    from log_chunks where attempt_id = $1 and ($2::smallint is null or stream = $2)
  ) l where ${after} order by ${order} limit ${MAX_CHUNKS}
) c where c.bytes_before < $6 order by ${order}`;
const oneStream = chunksQuery('byte_offset', '($3::bigint is null or $4::smallint is null or byte_offset > $5::bigint)');
const allStreams = chunksQuery(
  'received_micros, stream, byte_offset',
  '($3::bigint is null or (received_micros, stream, byte_offset) > ($3, $4::smallint, $5::bigint))',
);

/** Throws not-found. `complete` once the attempt has ended and the page holds its last chunk: reports are stored in order. */
export async function readLog(sql: Sql, attemptId: string, { stream, after, limit }: LogQuery): Promise<LogPage> {
  const ended = await hasEnded(sql, attemptId);
  const position = parsePosition(after);
  const rows = await sql.query<ChunkRow>(stream ? oneStream : allStreams, [
    attemptId,
    stream ? logStreamNumbers[stream] : null,
    ...(position ?? [null, null, null]),
    limit,
  ]);
  const parts = rows.map((row) => partOf(row, ended));
  const last = rows.at(-1);
  const next = last ? `${last.received_micros}.${last.stream}.${last.byte_offset}` : (after ?? '');
  return { attemptId, parts, next, complete: ended && (await isEverythingRead(sql, attemptId, stream, rows, limit)) };
}

/** The whole log in pages. */
export async function* readWholeLog(sql: Sql, attemptId: string, stream?: StreamName): AsyncGenerator<string> {
  let after: string | undefined;
  for (;;) {
    const page = await readLog(sql, attemptId, { stream, after, limit: 1_048_576 });
    for (const part of page.parts) yield part.text;
    if (page.parts.length === 0) return;
    after = page.next;
  }
}

async function hasEnded(sql: Sql, attemptId: string): Promise<boolean> {
  const [attempt] = await sql.query<{ ended: boolean }>('select finished_at is not null as ended from attempts where id = $1', [attemptId]);
  if (!attempt) throw new AppError('not-found', 'There is no such attempt.');
  return attempt.ended;
}

async function isEverythingRead(
  sql: Sql,
  attemptId: string,
  stream: StreamName | undefined,
  rows: readonly ChunkRow[],
  limit: number,
): Promise<boolean> {
  const bytes = rows.reduce((sum, row) => sum + row.data.length, 0);
  if (bytes < limit && rows.length < MAX_CHUNKS) return true;
  const last = rows.at(-1)!;
  const number = stream ? logStreamNumbers[stream] : null;
  const position = [last.received_micros, last.stream, last.byte_offset];
  const following = await sql.query(stream ? oneStream : allStreams, [attemptId, number, ...position, 1]);
  return following.length === 0;
}

function partOf(row: ChunkRow, ended: boolean): LogPart {
  return {
    stream: streamNames.get(row.stream)!,
    offset: Number(row.byte_offset),
    text: textOfChunk(row.before, row.data, ended && row.is_last),
    receivedAt: row.received_at.toISOString(),
  };
}

function parsePosition(after: string | undefined): [string, string, string] | null {
  if (after === undefined || after === '') return null;
  const parts = /^(\d{1,18})\.(\d{1,3})\.(\d{1,18})$/.exec(after);
  if (!parts)
    throw new AppError('cursor-invalid', 'Use the "next" of an earlier page of this log, or leave "after" out to begin at the start.');
  return [parts[1]!, parts[2]!, parts[3]!];
}
