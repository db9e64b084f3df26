import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { LogChunk } from './attempt-log-rows.js';

/** Bytes of a log that are compressed together: what must be read at least to show a page from the middle. */
const BLOCK_BYTES = 524_288;
const HEADER_BYTES = 22;
const NOTHING_BEFORE = 255;

/** One gzip member of the blob: `bytes` of it from `start` on, its first chunk among all streams, and the smallest and largest offset per stream. */
export interface LogBlock {
  start: number;
  bytes: number;
  first: { micros: number; stream: number; offset: number };
  streams: Record<string, [number, number]>;
}

/** What is where in an archived log; kept in Postgres beside the blob's key. */
export interface LogIndex {
  blocks: LogBlock[];
  /** Per stream the offset of its last chunk, and that chunk's last three bytes in base64. */
  streams: Record<string, { lastOffset: number; tail: string }>;
}

/**
 * Writes chunks, which must come in the order of all streams, as one gzip file of several members, each of which can be read by itself. Within, a chunk is
 * stream (1 byte), microseconds (8), offset (8), length of `before` (1, 255 for none), length of the data (4), `before`, data; numbers are little-endian.
 */
export class LogArchiveWriter {
  readonly index: LogIndex = { blocks: [], streams: {} };
  private records: Buffer[] = [];
  private recordBytes = 0;
  private block: Omit<LogBlock, 'start' | 'bytes'> | null = null;
  private written = 0;

  async *encode(chunks: AsyncIterable<LogChunk>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.add(chunk);
      if (this.recordBytes >= BLOCK_BYTES) yield await this.closeBlock();
    }
    if (this.block) yield await this.closeBlock();
  }

  private add(chunk: LogChunk): void {
    const { micros, stream, offset } = chunk;
    this.block ??= { first: { micros, stream, offset }, streams: {} };
    const [min, max] = this.block.streams[stream] ?? [offset, offset];
    this.block.streams[stream] = [Math.min(min, offset), Math.max(max, offset)];
    const known = this.index.streams[stream];
    if (!known || known.lastOffset < offset) this.index.streams[stream] = { lastOffset: offset, tail: tailOf(chunk.data) };
    for (const part of recordOf(chunk)) {
      this.records.push(part);
      this.recordBytes += part.length;
    }
  }

  private async closeBlock(): Promise<Buffer> {
    const compressed = await promisify(gzip)(Buffer.concat(this.records));
    this.index.blocks.push({ start: this.written, bytes: compressed.length, ...this.block! });
    this.written += compressed.length;
    this.records = [];
    this.recordBytes = 0;
    this.block = null;
    return compressed;
  }
}

/** The chunks of one member. Throws when it is damaged, which gzip's checksum tells. */
export async function decodeBlock(compressed: Buffer): Promise<LogChunk[]> {
  const bytes = await promisify(gunzip)(compressed);
  const chunks: LogChunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    const beforeBytes = bytes.readUInt8(at + 17);
    const dataAt = at + HEADER_BYTES + (beforeBytes === NOTHING_BEFORE ? 0 : beforeBytes);
    const end = dataAt + bytes.readUInt32LE(at + 18);
    chunks.push({
      stream: bytes.readUInt8(at),
      micros: Number(bytes.readBigUInt64LE(at + 1)),
      offset: Number(bytes.readBigUInt64LE(at + 9)),
      before: beforeBytes === NOTHING_BEFORE ? null : bytes.subarray(at + HEADER_BYTES, dataAt),
      data: bytes.subarray(dataAt, end),
    });
    at = end;
  }
  return chunks;
}

function recordOf({ stream, micros, offset, before, data }: LogChunk): Buffer[] {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(stream, 0);
  header.writeBigUInt64LE(BigInt(micros), 1);
  header.writeBigUInt64LE(BigInt(offset), 9);
  header.writeUInt8(before ? before.length : NOTHING_BEFORE, 17);
  header.writeUInt32LE(data.length, 18);
  return before ? [header, before, data] : [header, data];
}

function tailOf(data: Buffer): string {
  return data.subarray(Math.max(0, data.length - 3)).toString('base64');
}
