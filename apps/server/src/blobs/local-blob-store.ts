import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { assertBlobKey, type BlobEntry, type BlobStore, type ByteRange, storeUnavailable } from './blob-store.js';

const ABANDONED_AFTER_MS = 86_400_000;

/**
 * Blobs as files: `blobs/<key>` under the server's data directory, written under another name, made durable and renamed. `store-id` names the directory, so
 * that servers notice whether they share it.
 */
export class LocalBlobStore implements BlobStore {
  readonly name: string;
  private readonly blobs: string;
  private readonly unfinished: string;
  private storeId: string | null = null;

  constructor(private readonly directory: string) {
    this.name = directory;
    this.blobs = join(directory, 'blobs');
    this.unfinished = join(directory, 'unfinished-blobs');
  }

  identity(): Promise<string> {
    return this.guarded(async () => {
      this.storeId ??= await this.readOrMakeId();
      return `local:${this.storeId}`;
    });
  }

  async put(key: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    assertBlobKey(key);
    const written = join(this.unfinished, randomUUID());
    try {
      const file = await this.guarded(async () => {
        await mkdir(this.unfinished, { recursive: true, mode: 0o700 });
        return open(written, 'wx', 0o600);
      });
      try {
        for await (const bytes of body) await this.guarded(() => writeAll(file, bytes));
        await this.guarded(() => file.sync());
      } finally {
        await file.close();
      }
      await this.guarded(() => this.moveIn(written, join(this.blobs, key)));
    } catch (error) {
      await rm(written, { force: true }).catch(() => {}); // the first fault is the one to tell; check() removes what stays
      throw error;
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    assertBlobKey(key);
    return this.guarded(async () => {
      const file = await unlessMissing(open(join(this.blobs, key), 'r'));
      return file && createReadStream('', { fd: file, ...range });
    });
  }

  async delete(key: string): Promise<void> {
    assertBlobKey(key);
    await this.guarded(async () => {
      const path = join(this.blobs, key);
      await rm(path, { force: true });
      for (let folder = dirname(path); folder !== this.blobs; folder = dirname(folder)) {
        if (!(await isRemoved(folder))) break;
      }
    });
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    const folder = join(this.blobs, prefix.slice(0, prefix.lastIndexOf('/') + 1));
    const entries = await this.guarded(() => unlessMissing(readdir(folder, { recursive: true, withFileTypes: true })));
    for (const entry of entries ?? []) {
      const path = join(entry.parentPath, entry.name);
      const key = relative(this.blobs, path).split(sep).join('/');
      if (!entry.isFile() || !key.startsWith(prefix)) continue;
      const found = await this.guarded(() => unlessMissing(stat(path)));
      if (found) yield { key, bytes: found.size };
    }
  }

  /** Writes, so that a full or read-only disk is noticed; removes what writers that were killed left behind. */
  async check(): Promise<void> {
    await this.identity();
    await this.guarded(async () => {
      await mkdir(this.unfinished, { recursive: true, mode: 0o700 });
      const probe = join(this.unfinished, `probe-${randomUUID()}`);
      const file = await open(probe, 'wx', 0o600);
      await file.writeFile('probe').finally(() => file.close());
      await rm(probe);
      for await (const { name } of await opendir(this.unfinished)) {
        const path = join(this.unfinished, name);
        const found = await unlessMissing(stat(path));
        if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
      }
    });
  }

  private async moveIn(written: string, path: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      await makeDurableDirectory(dirname(path), this.directory);
      // A delete may have removed the folder that it found empty.
      if (await unlessMissing(rename(written, path).then(() => true))) break;
      if (tries === 5) throw new Error(`${dirname(path)} is removed again and again`);
    }
    await syncDirectory(dirname(path));
  }

  private async readOrMakeId(): Promise<string> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const path = join(this.directory, 'store-id');
    const present = await unlessMissing(readFile(path, 'utf8'));
    if (present) return present.trim();
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null;
      throw error;
    });
    if (file) {
      await file.writeFile(`${randomUUID()}\n`);
      await file.sync().finally(() => file.close());
    }
    const id = (await readFile(path, 'utf8')).trim();
    if (id === '') throw new Error(`${path} is empty; remove it`);
    return id;
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeUnavailable(this.name, error);
    }
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
}

/** Null when the file or its folder is not there. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function isRemoved(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

/** New folders are made durable in their parents. */
async function makeDurableDirectory(folder: string, root: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length && made !== root; made = dirname(made)) await syncDirectory(dirname(made));
}

async function syncDirectory(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
