import type { BackfillPreview, CalendarView, CreatedApiToken, NextFires, Page, ScheduleCalendar, ScheduleView } from '@medley/contracts';
import { aWorkflow, createTestDatabase, query, type RestClient, type TestDatabase, withToken } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FirePass } from '../passes/fire.pass.js';
import { Cast } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

/** In this database `clock_timestamp()` tells what the table says: time moves when the test moves it. */
async function takeOverClock({ url, name }: TestDatabase): Promise<void> {
  await query(url, 'create schema moved');
  await query(url, 'create table moved.clock (now timestamptz not null)');
  await query(url, 'insert into moved.clock values (pg_catalog.clock_timestamp())');
  await query(url, `create function moved.clock_timestamp() returns timestamptz language sql volatile as 'select now from moved.clock'`);
  await query(url, `alter database ${name} set search_path = moved, public, pg_catalog`);
}

/** The days around the national holiday of 2026: Saturday the 10th is worked. */
const workdays = {
  weekend: [0, 6],
  excluded: {
    '2026-10-01': 'National Day',
    '2026-10-02': 'National Day',
    '2026-10-05': 'National Day',
    '2026-10-06': '',
    '2026-10-07': '',
  },
  working: { '2026-10-10': 'make-up' },
};

describe('the calendars of a project', () => {
  let database: TestDatabase;
  let server: TestServer;
  let client: RestClient;
  let projectId: string;
  beforeAll(async () => {
    database = await createTestDatabase(inject('postgresUrl'));
    await takeOverClock(database);
    server = await startTestServer({ MEDLEY_DATABASE_URL: database.url });
    projectId = await new Cast(server).project('growth');
    const request = { name: 'for ever', scopes: ['admin'], expiresInDays: null };
    client = withToken(server.url, (await server.admin.post<CreatedApiToken>('/tokens', request)).token);
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });

  const sql = <Row>(text: string, values: unknown[] = []) => server.source.query(text, values) as Promise<Row[]>;
  const moveClock = (to: string) => sql('update moved.clock set now = $1', [to]);
  const path = (name: string) => `/projects/${projectId}/calendars/${name}`;
  const apply = async (workflow: string, schedules: Record<string, unknown>) => {
    const file = aWorkflow({ a: { kind: 'noop' } }, { project: 'growth', workflow, schedules });
    const { workflowId } = await client.apply(JSON.stringify(file));
    return (await client.get<Page<ScheduleView>>(`/schedules?workflowId=${workflowId}&sort=name`)).items;
  };

  it('decide when schedules fire, in the zone of each: not on a holiday, on a make-up Saturday', async () => {
    await moveClock('2026-09-30T10:00:00Z');
    await client.put(path('cn-workdays'), workdays);
    const keys = { cron: '0 20 * * 1-5', calendar: 'cn-workdays' };
    const schedules = await apply('settle', { here: { ...keys, zone: 'Asia/Shanghai' }, west: { ...keys, zone: 'America/New_York' } });
    const expected = [
      ['2026-09-30T12:00:00.000Z', '2026-10-08T12:00:00.000Z', '2026-10-09T12:00:00.000Z', '2026-10-10T12:00:00.000Z'],
      ['2026-10-01T00:00:00.000Z', '2026-10-09T00:00:00.000Z', '2026-10-10T00:00:00.000Z', '2026-10-11T00:00:00.000Z'],
    ];
    expect(schedules.map(({ nextFires }) => nextFires.slice(0, 4))).toEqual(expected);
    const told = await client.post<NextFires>('/schedules/preview', { ...keys, zone: 'Asia/Shanghai', projectId, count: 4 });
    expect(told.items.map(({ at }) => at)).toEqual(expected[0]);
    expect(told.daysOff[0]).toMatchObject({ at: '2026-10-01T12:00:00.000Z', code: 'day-excluded', name: 'National Day' });
    const month = await client.get<ScheduleCalendar>(`/schedules/calendar?month=2026-10&zone=Asia/Shanghai&scheduleId=${schedules[0]!.id}`);
    expect(month.days.slice(0, 11).map(({ fireCount }) => fireCount)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0]);
    const fire = server.app.get(FirePass, { strict: false });
    const fired: string[] = [];
    for (const at of expected[0]!) {
      await moveClock(at);
      await fire.run();
      await sql(`update runs set state = 'succeeded', finished_at = clock_timestamp() where finished_at is null`);
    }
    for (const { at } of await sql<{ at: Date }>('select fire_at as at from runs where schedule_id = $1 order by fire_at', [
      schedules[0]!.id,
    ]))
      fired.push(at.toISOString());
    expect(fired).toEqual(expected[0]);
    const range = { from: '2026-10-01', to: '2026-10-10', fires: 'all' };
    const plan = await client.post<BackfillPreview>(`/schedules/${schedules[0]!.id}/backfills/preview`, range);
    expect(plan.shown.map(({ fireAt }) => fireAt)).toEqual(expected[0]!.slice(1));
  });

  it('move the next fire of their schedules when they are changed, and never fire at once', async () => {
    await moveClock('2026-11-02T10:00:00Z');
    const calendar = await client.put<CalendarView>(path('plain'), { weekend: [0, 6] });
    const [before] = await apply('moved', { nightly: { cron: '0 12 * * *', calendar: 'plain' } });
    expect(before).toMatchObject({ calendar: 'plain', nextFireAt: '2026-11-02T12:00:00.000Z' });
    const excluded = { '2026-11-02': 'fair', '2026-11-03': 'fair' };
    const changed = await client.put<CalendarView>(path('plain'), { weekend: [0, 6], excluded, version: calendar.version });
    expect(changed).toMatchObject({ version: 2, schedules: 1 });
    expect((await client.get<ScheduleView>(`/schedules/${before!.id}`)).nextFireAt).toBe('2026-11-04T12:00:00.000Z');
    await moveClock('2026-11-02T13:00:00Z');
    await client.put(path('plain'), { weekend: [0, 6], version: 2 });
    expect((await client.get<ScheduleView>(`/schedules/${before!.id}`)).nextFireAt).toBe('2026-11-03T12:00:00.000Z');
    expect(await problemFrom(client.put(path('plain'), { version: 2 }))).toMatchObject({ code: 'stale-version' });
  });

  it('are refused in a file when there is none of the name, and kept while schedules use them', async () => {
    const missing = problemFrom(apply('lost', { s: { cron: '0 12 * * *', calendar: 'nowhere' } }));
    expect(await missing).toMatchObject({ code: 'validation-failed', fields: [{ path: 'schedules.s.calendar' }] });
    await client.put(path('used'), {});
    await apply('user', { s: { cron: '0 12 * * *', calendar: 'used' } });
    expect(await problemFrom(client.delete(path('used')))).toMatchObject({
      code: 'calendar-in-use',
      detail: expect.stringContaining('1 schedule(s): user/s'),
    });
    await apply('user', { s: { cron: '0 12 * * *' } });
    await client.delete(path('used'));
    expect(await problemFrom(client.get(path('used')))).toMatchObject({ status: 404 });
  });
});
