import { randomBytes } from 'node:crypto';
import { migrateDatabase } from '@medley/database';
import { query, withConnection } from './query.js';

const template = 'medley_template';
const templateLock = 7_236_002;

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}

/**
 * Makes the migrated template of a Postgres cluster unless it is there; any number of test processes may ask at once.
 * `adminUrl` is any database of the cluster but the template.
 */
export async function prepareTemplate(adminUrl: string): Promise<void> {
  await withConnection(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const found = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [template]);
    if (found.rowCount === 1) return;
    await client.query(`drop database if exists ${template} with (force)`);
    await client.query(`create database ${template} template template0`);
    await migrateDatabase(databaseUrl(adminUrl, template));
    await client.query(`alter database ${template} with is_template true`);
  });
}

/** A database of its own with the current schema and nothing in it: a file copy of the template, tens of milliseconds. */
export async function createTestDatabase(adminUrl: string): Promise<TestDatabase> {
  await prepareTemplate(adminUrl);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    name,
    url: databaseUrl(adminUrl, name),
    drop: async () => {
      await query(adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** An empty database without the schema, for tests of the migrations. */
export async function createEmptyDatabase(adminUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(adminUrl, `create database ${name} template template0`);
  return {
    name,
    url: databaseUrl(adminUrl, name),
    drop: async () => {
      await query(adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** The same cluster and user, another database. */
export function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
