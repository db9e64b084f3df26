import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/**
 * Where a path really leads; null where that is in none of the directories, before or after symbolic links are followed. Of what is not there, the nearest directory
 * that is there counts, so that nothing can be learned of what is elsewhere. Rejects as the file system does where it cannot be looked at.
 */
export async function allowedPath(path: string, directories: readonly string[]): Promise<string | null> {
  const whole = resolve(path);
  if (!isAbsolute(path) || !directories.some((directory) => isWithin(whole, resolve(directory)))) return null;
  const real = await realOf(whole);
  if (real === null) return null;
  for (const directory of directories) if (isWithin(real, await realpath(directory).catch(() => resolve(directory)))) return real;
  return null;
}

/** Null for a link to nothing, or under one: where it leads cannot be told. */
async function realOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  if (await isThere(path)) return null;
  const parent = await realOf(dirname(path));
  return parent === null ? null : join(parent, basename(path));
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way.split(/[\\/]/)[0] !== '..' && !isAbsolute(way));
}
