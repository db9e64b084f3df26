import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const skipped = new Set(['node_modules', 'dist', 'coverage']);

/** SHA-256 over the names and contents of these files and folders; build results and installed packages do not count. */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

/** True when `stampFile` holds this fingerprint. */
export function isStamped(stampFile, value) {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === value;
}

export function stamp(stampFile, value) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${value}\n`);
}

function addTo(hash, path) {
  if (!existsSync(path)) return;
  const entries = tryReadFolder(path);
  if (entries === null) {
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
    return;
  }
  for (const entry of entries) if (!skipped.has(entry) && !entry.endsWith('.tsbuildinfo')) addTo(hash, join(path, entry));
}

function tryReadFolder(path) {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  }
}
