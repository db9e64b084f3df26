import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { maxOutputBytes, phrase, type ReadOutputs, readOutputs } from '@medley/core';
import { OUTPUT_VALUES_FILE } from '../executors/executor.js';

/**
 * What the task has given to those behind it. Anything but a regular file counts as an error: the agent may read what the task's user may not, so a link
 * that the task left there is not followed.
 */
export async function readOutputValues(directory: string): Promise<ReadOutputs> {
  try {
    const file = await open(
      join(directory, OUTPUT_VALUES_FILE),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const status = await file.stat();
      if (!status.isFile()) return { ok: false, fault: phrase('outputs-no-file') };
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxOutputBytes), 0, maxOutputBytes, 0);
      return readOutputs(buffer.subarray(0, bytesRead).toString('utf8'), status.size);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { ok: true, outputs: {} };
    return { ok: false, fault: code === 'ELOOP' ? phrase('outputs-a-link') : phrase('outputs-unreadable', { why: message }) };
  }
}
