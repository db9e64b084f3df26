import { describe, expect, inject, it } from 'vitest';
import { query } from './query.js';
import { createEmptyDatabase, createTestDatabase, prepareTemplate } from './test-database.js';

describe('createTestDatabase', () => {
  it('gives each caller a migrated database that no other sees', async () => {
    const [first, second] = await Promise.all([createTestDatabase(inject('postgresUrl')), createTestDatabase(inject('postgresUrl'))]);
    await query(first.url, 'create table only_here (id int)');

    const found = await query(second.url, "select to_regclass('only_here') as name");
    const migrations = await query(second.url, 'select count(*)::int as count from schema_migrations');

    expect(found).toEqual([{ name: null }]);
    expect(migrations[0]?.count).toBeGreaterThan(0);
    await Promise.all([first.drop(), second.drop()]);
  });

  it('makes the template once when several ask at the same time', async () => {
    const admin = inject('postgresUrl');
    await Promise.all([prepareTemplate(admin), prepareTemplate(admin), prepareTemplate(admin)]);
    const templates = await query(admin, "select datname from pg_database where datname = 'medley_template'");
    expect(templates).toHaveLength(1);
  });

  it('leaves nothing behind after drop', async () => {
    const admin = inject('postgresUrl');
    const database = await createEmptyDatabase(admin);
    await database.drop();
    expect(await query(admin, 'select 1 from pg_database where datname = $1', [database.name])).toEqual([]);
  });
});
