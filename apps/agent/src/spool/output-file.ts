import { statSync } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const TRIM_BYTES = 1024 * 1024;

/** One output file of an attempt: written by its processes, read here by offset. */
export class OutputFile {
  /** Bytes up to here have a sequence. */
  offset = 0;
  private readonly path: string;

  constructor(
    directory: string,
    readonly stream: 'stdout' | 'stderr',
  ) {
    this.path = join(directory, stream);
  }

  /** Bytes written so far; a stat of a local file costs microseconds, less than a turn through the thread pool. */
  size(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  async read(from: number, length: number): Promise<Buffer> {
    const file = await open(this.path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** Gives the disk back what nobody will read any more; writers append, so they go on at the new end. */
  async discard(evenIfSmall: boolean): Promise<void> {
    if (this.size() > (evenIfSmall ? 0 : TRIM_BYTES)) {
      await truncate(this.path, 0);
    }
  }
}
