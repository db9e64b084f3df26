import { createDataSource, inOneRoundTrip, sqlOutsideTransaction } from '@medley/database';
import { createTestDatabase, type TestDatabase } from '@medley/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  source = await createDataSource({ url: database.url, poolSize: 2 }).initialize();
  await sqlOutsideTransaction(source).query('create table notes (id int primary key)');
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const notes = async () =>
  (await sqlOutsideTransaction(source).query<{ id: number }>('select id from notes order by id')).map(({ id }) => id);
const add = 'insert into notes values ($1) returning id';

it('statements of one round trip are committed together and give their rows', async () => {
  const rows = await inOneRoundTrip(source, (sql) => [sql.query(add, [1]), sql.query(add, [2])]);
  expect(rows).toEqual([[{ id: 1 }], [{ id: 2 }]]);
  expect(await notes()).toEqual([1, 2]);
});

it.each([
  [3, 1],
  [1, 3],
])('none of them is done when one fails (%s, %s), and the failure is told', async (...ids) => {
  await expect(inOneRoundTrip(source, (sql) => ids.map((id) => sql.query(add, [id])))).rejects.toMatchObject({ code: '23505' });
  expect(await notes()).toEqual([1, 2]);
  await inOneRoundTrip(source, (sql) => [sql.query('select 1')]); // the connection is in order
});

it('they are done again when another transaction was in the way', async () => {
  let tries = 0;
  const conflict = `do $$ begin raise exception 'in the way' using errcode = '40P01'; end $$`;
  const rows = await inOneRoundTrip(source, (sql) => [sql.query(++tries < 3 ? conflict : add, tries < 3 ? [] : [9])]);
  expect([tries, rows]).toEqual([3, [[{ id: 9 }]]]);
});
