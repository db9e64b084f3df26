import { open, rm, stat, statfs } from 'node:fs/promises';
import type { Logger } from '../log.js';

const RESERVE_BYTES = 4 * 1024 * 1024;
const MIB = 1024 * 1024;

/** Free space and size of the file system where the agent's home lies, in MiB. */
export async function readDisk(path: string): Promise<{ freeMib: number; totalMib: number }> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeMib: (bavail * bsize) / MIB, totalMib: (blocks * bsize) / MIB };
}

/** Free space where the agent's home lies, in MiB. */
export async function readFreeMib(path: string): Promise<number> {
  return (await readDisk(path)).freeMib;
}

/**
 * Keeps a few MiB of real blocks for state reports. When the disk is short, logs are dropped first (`isShort`) and the reserve is given back
 * to the file system, so that what ends an attempt can still be noted.
 */
export class DiskWatch {
  isShort = false;

  constructor(
    private readonly home: string,
    private readonly reservePath: string,
    private readonly freeMinMib: number,
    private readonly log: Logger,
  ) {}

  /** Looks once; cheap enough for every second. */
  async look(): Promise<void> {
    try {
      const freeMib = await readFreeMib(this.home);
      const short = freeMib < this.freeMinMib;
      if (short !== this.isShort) {
        this.log.warn(
          { freeMib: Math.round(freeMib), freeMinMib: this.freeMinMib },
          short ? 'disk is short, logs are dropped' : 'disk has room again',
        );
      }
      this.isShort = short;
      await (short ? rm(this.reservePath, { force: true }) : this.reserve());
    } catch (error) {
      this.log.warn({ error: String(error) }, 'cannot look after the disk reserve');
    }
  }

  private async reserve(): Promise<void> {
    const size = await stat(this.reservePath).then(
      (found) => found.size,
      () => 0,
    );
    if (size === RESERVE_BYTES) {
      return;
    }
    const file = await open(this.reservePath, 'w', 0o600);
    try {
      // Written, not truncated to size: a sparse file reserves nothing.
      await file.writeFile(Buffer.alloc(RESERVE_BYTES));
    } finally {
      await file.close();
    }
  }
}
