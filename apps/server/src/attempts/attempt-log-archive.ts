import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError, phrase } from '@medley/core';
import { type BlobStore, storeUnavailable } from '../blobs/blob-store.js';
import { decodeBlock, type LogBlock, type LogIndex } from './attempt-log-format.js';
import { type ChunkPage, type ChunkQuery, comparePositions, type LogChunk, type LogPosition, MAX_CHUNKS } from './attempt-log-rows.js';

export interface ArchivedLog {
  key: string;
  index: LogIndex;
}

/** Where a log is in the blob store: one blob per try to archive it, of which one is recorded. Folders by day keep directories small. */
export function logBlobKey(attemptId: string, blobId: string): string {
  const createdAt = new Date(Number.parseInt(attemptId.replaceAll('-', '').slice(0, 12), 16));
  return `logs/${createdAt.toISOString().slice(0, 10)}/${attemptId}/${blobId}.log.gz`;
}

/** The same page that the chunks would have given while they were in Postgres. Throws blob-missing, blob-damaged, blob-store-unavailable. */
export async function readArchivedChunks(store: BlobStore, log: ArchivedLog, { stream, after, limit }: ChunkQuery): Promise<ChunkPage> {
  const chunks: LogChunk[] = [];
  let bytes = 0;
  for await (const chunk of archivedChunks(store, log, stream, after)) {
    if (bytes >= limit || chunks.length === MAX_CHUNKS) return { chunks, isEnd: false };
    chunks.push(chunk);
    bytes += chunk.data.length;
  }
  return { chunks, isEnd: true };
}

/** Chunks after a position, in order, reading only the blocks that hold them. */
export async function* archivedChunks(
  store: BlobStore,
  log: ArchivedLog,
  stream: number | null = null,
  after: LogPosition | null = null,
): AsyncGenerator<LogChunk> {
  if (stream !== null) {
    yield* streamChunks(store, log, stream, after?.offset ?? -1);
    return;
  }
  const { blocks } = log.index;
  const from = after ? blocks.findLastIndex((block) => comparePositions(block.first, after) <= 0) : 0;
  for (const block of blocks.slice(Math.max(0, from))) {
    for (const chunk of await readBlock(store, log, block)) if (!after || comparePositions(chunk, after) > 0) yield chunk;
  }
}

/** Of one stream by offset. Blocks follow the order of arrival, so a chunk is certain once no later block begins before it. */
async function* streamChunks(store: BlobStore, log: ArchivedLog, stream: number, after: number): AsyncGenerator<LogChunk> {
  const range = (block: LogBlock) => block.streams[stream]!;
  const blocks = log.index.blocks
    .filter((block) => block.streams[stream] && range(block)[1] > after)
    .toSorted((left, right) => range(left)[0] - range(right)[0]);
  let open: LogChunk[] = [];
  for (const [position, block] of blocks.entries()) {
    const read = (await readBlock(store, log, block)).filter((chunk) => chunk.stream === stream && chunk.offset > after);
    open = [...open, ...read].sort((left, right) => left.offset - right.offset);
    const next = blocks[position + 1];
    const certain = next ? open.filter((chunk) => chunk.offset < range(next)[0]) : open;
    yield* certain;
    open = open.slice(certain.length);
  }
}

/** The chunks of one block, in the order of all streams. */
export async function readBlock(store: BlobStore, { key }: ArchivedLog, block: LogBlock): Promise<LogChunk[]> {
  const blob = await store.get(key, { start: block.start, end: block.start + block.bytes - 1 });
  if (!blob) throw new AppError('blob-missing', phrase('log-blob-missing', { key, store: store.name }));
  const compressed = await received(store, blob);
  try {
    if (compressed.length !== block.bytes) throw new Error('it is too short');
    return await decodeBlock(compressed);
  } catch (error) {
    const reason = (error as Error).message;
    throw new AppError('blob-damaged', phrase('log-blob-damaged', { key, store: store.name, reason }), undefined, {
      cause: error,
    });
  }
}

async function received(store: BlobStore, blob: Readable): Promise<Buffer> {
  try {
    return await buffer(blob);
  } catch (error) {
    throw storeUnavailable(store.name, error);
  }
}
