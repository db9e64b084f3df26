import { attemptTransitions, reservationTransitions, runTransitions, type StateTable, taskRunTransitions } from '@medley/core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { query } from './query.js';
import { createEmptyDatabase, type TestDatabase } from './test-database.js';
import { guardTransitions, legalSteps } from './transition-guard.js';

const tables: { name: string; transitions: StateTable<string, string>; births: string[]; composed: string[] }[] = [
  { name: 'runs', transitions: runTransitions, births: ['queued', 'failed'], composed: [] },
  {
    name: 'task_runs',
    transitions: taskRunTransitions,
    births: ['waiting', 'ready', 'retry-wait', 'paused', 'succeeded', 'skipped', 'failed', 'cancelled'],
    composed: ['running ready'],
  },
  { name: 'attempts', transitions: attemptTransitions, births: ['dispatched'], composed: [] },
  { name: 'reservations', transitions: reservationTransitions, births: ['held'], composed: [] },
];

/** Tries every step between two states on a row of its own; returns those that were let through. */
const stepsTaken = (table: string) => `
do $$
declare step record;
begin
  for step in select id, wanted from ${table} loop
    begin
      update ${table} set state = step.wanted where id = step.id;
    exception when raise_exception then null;
    end;
  end loop;
end $$`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase(inject('postgresUrl'));
  for (const { name, transitions } of tables) {
    await query(database.url, `create table ${name} (id int generated always as identity, born text, state text, wanted text)`);
    const states = Object.keys(transitions);
    await query(
      database.url,
      `insert into ${name} (born, state, wanted) select f, f, t from unnest($1::text[]) as f, unnest($1::text[]) as t where f <> t`,
      [states],
    );
  }
  await guardTransitions(database.url);
});
afterAll(() => database.drop());

describe.each(tables)('the guard on $name', ({ name, transitions, births, composed }) => {
  it('lets through exactly the steps of the table and the compositions that are listed', async () => {
    await query(database.url, stepsTaken(name));
    const taken = await query<{ step: string }>(database.url, `select born || ' ' || state as step from ${name} where state <> born`);
    const edges = Object.entries(transitions).flatMap(([from, row]) => Object.values(row).map((to) => `${from} ${to}`));
    const expected = new Set([...edges.filter((edge) => new Set(edge.split(' ')).size === 2), ...composed]);
    expect(taken.map(({ step }) => step).sort()).toEqual([...expected].sort());
  });

  it('lets rows be born in the first states only', async () => {
    const born: string[] = [];
    for (const state of Object.keys(transitions)) {
      const insert = query(database.url, `insert into ${name} (state) values ($1)`, [state]);
      await insert.then(
        () => born.push(state),
        (error: Error) => expect(error.message).toBe(`illegal state of ${name}: ${state}`),
      );
    }
    expect(born.sort()).toEqual([...births].sort());
  });
});

describe('legalSteps', () => {
  it('refuses a composition that the table does not allow', () => {
    const together = [{ from: 'running', events: ['retry', 'dispatch'] }];
    expect(() => legalSteps({ transitions: taskRunTransitions, together })).toThrow('cannot follow each other from running');
  });
});
