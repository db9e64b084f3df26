import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { SealedSecret, SecretKeys } from './secret-keys.js';

/** The sealed form of secrets of a project; those that are missing are left out. */
export async function readSealedSecrets(sql: Sql, projectId: string, names: readonly string[]): Promise<Record<string, SealedSecret>> {
  if (names.length === 0) return {};
  const rows = await sql.query<SealedSecret & { name: string }>(
    'select name, sealed, key_id as "keyId" from project_secrets where project_id = $1 and name = any($2)',
    [projectId, names],
  );
  return Object.fromEntries(rows.map(({ name, ...sealed }) => [name, sealed]));
}

/** The values of secrets. Throws reference-invalid for one that none of the keys opens. */
export function openSecrets(keys: SecretKeys, projectId: string, sealed: Readonly<Record<string, SealedSecret>>): Record<string, string> {
  const entries = Object.entries(sealed).map(([name, secret]) => {
    const value = keys.open(projectId, name, secret);
    if (value === null) throw new AppError('reference-invalid', phrase('secret-sealed-by-other', { name: `secrets.${name}` }));
    return [name, value];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}
