import { lstat } from 'node:fs/promises';
import type { FileLookResult } from '@medley/contracts';
import { allowedPath } from './allowed-path.js';

/** Whether a regular file is there, its size and when it was modified. Whatever goes wrong is an answer too; never rejects. */
export async function lookForFile(path: string, directories: readonly string[]): Promise<FileLookResult> {
  try {
    const real = await allowedPath(path, directories);
    if (real === null) return { outcome: 'not-allowed' };
    const stats = await lstat(real);
    if (stats.isFile()) return { outcome: 'there', sizeBytes: stats.size, modifiedAt: stats.mtime.toISOString() };
    return { outcome: 'failed', fault: stats.isDirectory() ? 'EISDIR' : 'not a regular file' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { outcome: 'absent' } : { outcome: 'failed', fault: (code ?? message).slice(0, 200) };
  }
}
