import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { KeepOrder } from '@medley/contracts';
import { isPathBelow, matchesFilePattern, type Phrase, phrase } from '@medley/core';

export interface FoundFile {
  /** Relative to the working directory, with `/`. */
  path: string;
  file: string;
  bytes: number;
}

/**
 * The regular files of a working directory that a task keeps, or why they cannot be kept. Links are followed nowhere, neither to files nor into folders, so that nothing from
 * outside of the directory is found.
 */
export async function findFiles(directory: string, { patterns, limits }: KeepOrder): Promise<FoundFile[] | Phrase> {
  const root = await realpath(directory);
  const found: FoundFile[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file
      .slice(root.length + 1)
      .split(sep)
      .join('/');
    if (!patterns.some((pattern) => matchesFilePattern(pattern, path))) continue;
    if (!isPathBelow(path)) return phrase('file-name-unfit', { path: path.slice(0, 200) });
    const real = await realpath(file);
    if (real !== file) continue;
    const { size } = await lstat(file);
    if (size > limits.fileBytes) return phrase('kept-file-too-large', { path, bytes: size, limit: limits.fileBytes });
    found.push({ path, file, bytes: size });
  }
  if (found.length > limits.files) return phrase('files-too-many', { count: found.length, limit: limits.files });
  const bytes = found.reduce((sum, each) => sum + each.bytes, 0);
  return bytes > limits.taskBytes ? phrase('files-too-large', { bytes, limit: limits.taskBytes }) : found;
}
