import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { AttemptRef, KeepOrder } from '@medley/contracts';
import { type Phrase, phrase } from '@medley/core';
import { backoffMs, pause } from '../backoff.js';
import type { FileTransfer } from '../transport/file-transfer.js';
import { ServerUnreachableError } from '../transport/server-errors.js';
import { type FoundFile, findFiles } from './find-files.js';

/**
 * Sends the files that an attempt keeps, again and again while no server takes them; one that was sent by an earlier agent is replaced. Returns why they cannot be kept, or null
 * when all are stored or `signal` has given it up.
 */
export async function keepFiles(
  directory: string,
  order: KeepOrder,
  ref: AttemptRef,
  files: FileTransfer,
  signal: AbortSignal,
): Promise<Phrase | null> {
  try {
    const found = await findFiles(directory, order);
    if (!Array.isArray(found)) return found;
    for (const file of found) await keepOne(file, ref, files, signal);
    return null;
  } catch (error) {
    return signal.aborted ? null : phrase('files-not-stored', { why: error instanceof Error ? error.message : String(error) });
  }
}

async function keepOne({ path, file, bytes }: FoundFile, ref: AttemptRef, files: FileTransfer, signal: AbortSignal): Promise<void> {
  const sha256 = await hashOf(file);
  for (let failures = 0; ; failures++) {
    try {
      await files.send(file, { ...ref, path, bytes, sha256 }, signal);
      return;
    } catch (error) {
      if (!(error instanceof ServerUnreachableError) || signal.aborted) throw error;
      await pause(backoffMs(failures, 200, 10_000), signal);
      signal.throwIfAborted();
    }
  }
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
