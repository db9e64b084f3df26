import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { type AskedNames, readNamed } from '../projects/read-named.js';
import type { SealedSecret, SecretKeys } from './secret-keys.js';

const statement = `
select s.project_id as "projectId", s.name, s.sealed, s.key_id as "keyId" from unnest($1::uuid[], $2::text[]) as asked(project_id, name)
join project_secrets s on s.project_id = asked.project_id and s.name = asked.name`;

/** The sealed form of secrets, for each who asks and only those it asks for; those that are missing are left out. */
export async function readSealedSecretsOf(sql: Sql, asked: readonly AskedNames[]): Promise<Record<string, SealedSecret>[]> {
  const found = await readNamed<SealedSecret & { projectId: string; name: string }>(sql, statement, asked);
  return found.map((own) => Object.fromEntries([...own].map(([name, { sealed, keyId }]) => [name, { sealed, keyId }])));
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
