import { createDataSource, inTransaction, sqlOutsideTransaction } from '@medley/database';
import { createTestDatabase, type TestDatabase, waitFor } from '@medley/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addPartition } from './add-partition.js';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  source = await createDataSource({ url: database.url, poolSize: 5 }).initialize();
  await source.query('create table events (id int primary key) partition by range (id)');
  await source.query('create table events_rest partition of events default');
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

it('a row that is written while its partition is attached is stored', async () => {
  const sql = sqlOutsideTransaction(source);
  const waiting = async (statement: string) => {
    const rows = await sql.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1",
      [`${statement}%`],
    );
    return rows.length > 0;
  };
  let release = () => {};
  const other = new Promise<void>((begun) => {
    void inTransaction(source, async (own) => {
      await own.query('insert into events values (1)');
      await new Promise<void>((resolve) => {
        release = resolve;
        begun();
      });
    });
  });
  await other;
  const attached = inTransaction(source, (own) =>
    addPartition(own, { parent: 'events', name: 'events_tens', from: '10', to: '20', isCurrent: true }),
  );
  await waitFor(async () => (await waiting('lock table')) || (await waiting('alter table')));
  const written = source.query('insert into events values (15)');
  await waitFor(() => waiting('insert into events'));
  release();
  await Promise.all([attached, written]);
  expect(await sql.query('select tableoid::regclass::text as part, id from events order by id')).toEqual([
    { part: 'events_rest', id: 1 },
    { part: 'events_tens', id: 15 },
  ]);
});
