import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AttemptRef, FetchOrder } from '@medley/contracts';
import { type Phrase, phrase } from '@medley/core';
import { backoffMs, pause } from '../backoff.js';
import type { FileTransfer } from '../transport/file-transfer.js';
import { ServerAnswerError } from '../transport/server-errors.js';
import { hashOf } from './keep-files.js';

const TRIES = 6;

/** Places files of earlier tasks in a working directory before anything runs there. Returns why one could not be had after some tries, or null. */
export async function fetchFiles(
  directory: string,
  orders: readonly FetchOrder[],
  ref: AttemptRef,
  files: FileTransfer,
  signal: AbortSignal,
): Promise<Phrase | null> {
  for (const order of orders) {
    try {
      const fault = await fetchOne(directory, order, ref, files, signal);
      if (fault !== null) return fault;
    } catch (error) {
      return phrase('file-not-fetched', { path: order.path, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return null;
}

async function fetchOne(
  directory: string,
  { id, path, sha256 }: FetchOrder,
  ref: AttemptRef,
  files: FileTransfer,
  signal: AbortSignal,
): Promise<Phrase | null> {
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  for (let failures = 1; ; failures++) {
    try {
      await files.fetch(id, ref, file, signal);
      if ((await hashOf(file)) === sha256) return null;
      if (failures >= TRIES) return phrase('file-not-fetched', { path, why: phrase('file-hash-differs') });
    } catch (error) {
      if (error instanceof ServerAnswerError || signal.aborted || failures >= TRIES) throw error;
    }
    await rm(file, { force: true });
    await pause(backoffMs(failures, 200, 5000), signal);
    signal.throwIfAborted();
  }
}
