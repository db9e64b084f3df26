import type { ApplyAnswer, NextFires, Page, ScheduleView } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('schedules', () => {
  let server: TestServer;
  let schedule: ScheduleView;
  beforeAll(async () => {
    server = await startTestServer();
    const document = aWorkflow({ a: { run: 'true' } }, { schedules: { nightly: { cron: '0 7,9 * * *', zone: 'Europe/Berlin' } } });
    await server.admin.post<ApplyAnswer>('/workflows/apply', document);
    schedule = (await server.admin.get<Page<ScheduleView>>('/schedules')).items[0]!;
  });
  afterAll(() => server.close());

  const get = () => server.admin.get<ScheduleView>(`/schedules/${schedule.id}`);

  it('show the stored next fire first, and then what follows it', async () => {
    expect(schedule).toMatchObject({ name: 'nightly', workflow: 'test', zone: 'Europe/Berlin', enabled: true, lastRunId: null });
    expect(schedule.nextFires[0]).toBe(schedule.nextFireAt);
    const { items } = await server.admin.get<NextFires>(`/schedules/${schedule.id}/next-fires?count=5`);
    expect(items.map(({ at }) => at)).toEqual(schedule.nextFires);
    expect(items.every(({ local }) => / 0[79]:00:00 GMT\+0[12]:00$/.test(local))).toBe(true);
  });

  it('do not make up for what was missed while they were disabled', async () => {
    await server.admin.patch(`/schedules/${schedule.id}`, { enabled: false });
    expect(await get()).toMatchObject({ enabled: false, nextFireAt: null, nextFires: [] });
    await server.source.query(`update schedules set next_fire_at = now() - interval '3 days' where id = $1`, [schedule.id]);
    await server.admin.patch(`/schedules/${schedule.id}`, { enabled: true });
    expect(Date.parse((await get()).nextFireAt!)).toBeGreaterThan(Date.now());
    expect(await server.admin.get('/runs')).toMatchObject({ items: [] });
  });

  it('are not changed by saying the same again', async () => {
    const before = await get();
    expect(await server.admin.patch(`/schedules/${schedule.id}`, { enabled: true })).toEqual(before);
  });

  it('are previewed, and faults are told by field', async () => {
    const preview = await server.admin.post<NextFires>('/schedules/preview', { cron: '*/5 * * * * *', zone: 'Asia/Shanghai', count: 3 });
    const [first, second, third] = preview.items.map(({ at }) => Date.parse(at));
    expect([second! - first!, third! - second!]).toEqual([5000, 5000]);
    expect(await problemFrom(server.admin.post('/schedules/preview', { cron: '61 * * * *' }))).toMatchObject({
      status: 400,
      code: 'cron-invalid',
      fields: [{ path: 'cron' }],
    });
    expect(await problemFrom(server.admin.post('/schedules/preview', { cron: '* * * * *', zone: 'Mars/Base' }))).toMatchObject({
      fields: [{ path: 'zone' }],
    });
    const both = await problemFrom(server.admin.post('/schedules/preview', { cron: '61 * * * *', zone: 'Mars/Base' }));
    expect(both.fields?.map(({ path }) => path)).toEqual(['zone', 'cron']);
  });

  it('refuse fields that cannot be changed here', async () => {
    const problem = await problemFrom(server.admin.patch(`/schedules/${schedule.id}`, { enabled: true, cron: '* * * * *' }));
    expect(problem).toMatchObject({ code: 'validation-failed', fields: [{ path: 'cron', message: 'is not a known field' }] });
  });
});
