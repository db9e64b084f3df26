import { createDataSource, dumpSchema, sqlOutsideTransaction } from '@medley/database';
import { createTestDatabase, type TestDatabase } from '@medley/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

interface ColumnRow {
  name: string;
  type: string;
  nullable: boolean;
  has_default: boolean;
}

describe('the schema', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase(inject('postgresUrl'));
    source = await createDataSource({ url: database.url, poolSize: 2 }).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('is what migrations/schema.sql says (`npx vitest run apps/server/src/database/schema.int.spec.ts -u` writes it anew)', async () => {
    await expect(await dumpSchema(sqlOutsideTransaction(source))).toMatchFileSnapshot('../../../../migrations/schema.sql');
  });

  it('has for each entity exactly its columns, with its types, nullability and defaults', async () => {
    for (const metadata of source.entityMetadatas) {
      const rows = await sqlOutsideTransaction(source).query<ColumnRow>(
        `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable, a.atthasdef as has_default
         from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attname`,
        [metadata.tableName],
      );
      const declared = metadata.columns.map((column) => ({
        name: column.databaseName,
        type: `${source.driver.normalizeType(column)}${column.isArray ? '[]' : ''}`,
        nullable: column.isNullable,
        has_default: column.default !== undefined,
      }));
      expect(
        declared.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
        metadata.tableName,
      ).toEqual(rows);
    }
  });
});
