import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './imports.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const server = fileURLToPath(new URL('../../../apps/server/src', import.meta.url));

/** Rows that others refer to: whoever writes a reference waits for a full lock on them, and may hold what the locker waits for. */
const referredTo = new Set(['runs', 'schedules', 'workflows', 'nodes']);

/** Runs that are deleted must not be referred to meanwhile. */
const allowed = ['apps/server/src/passes/run-retention.ts runs'];

/** The table of each full row lock in a text of statements: the one that `of` names, or the last that is read before. */
function fullLocks(text: string): string[] {
  return [...text.matchAll(/\bfor update\b(?: of (\w+))?/gi)].map(({ index, 1: alias }) => {
    const before = text.slice(0, index);
    const read = alias === undefined ? /\bfrom (\w+)/gi : new RegExp(`\\b(?:from|join) (\\w+)(?: as)? ${alias}\\b`, 'gi');
    return [...before.matchAll(read)].at(-1)?.[1] ?? 'unknown';
  });
}

describe('row locks', () => {
  it('of what others refer to leave it free for references', () => {
    const files = sourceFiles(server).filter((path) => !path.endsWith('.spec.ts'));
    const locks = files.flatMap((path) => fullLocks(readFileSync(path, 'utf8')).map((table) => `${relative(root, path)} ${table}`));
    expect(locks.length).toBeGreaterThan(20);
    const found = locks.filter((lock) => referredTo.has(lock.split(' ')[1]!) || lock.endsWith(' unknown'));
    expect(found).toEqual(allowed);
  });

  it('are told by the table that they lock', () => {
    const statements =
      'select 1 from runs r join schedules s on true for update of s; select 1 from users for update; select 1 from runs for no key update';
    expect(fullLocks(statements)).toEqual(['schedules', 'users']);
  });
});
