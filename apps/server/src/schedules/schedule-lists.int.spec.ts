import type { ApplyAnswer, Page, ScheduleCalendar, ScheduleView, SwitchedSchedules, WorkflowListItem } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesOfLast } from '../testing/audited-changes.js';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('the lists of workflows and schedules', () => {
  let server: TestServer;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    server = await startTestServer();
    const rules: Record<string, Record<string, object>> = {
      alpha: { hourly: { cron: '0 * * * *' }, often: { cron: '*/5 * * * *' } },
      beta: { daily: { cron: '30 9 * * *', zone: 'Asia/Shanghai' } },
      gamma: {},
    };
    for (const [workflow, schedules] of Object.entries(rules)) {
      const tasks = Object.fromEntries([...workflow].map((_, index) => [`t${index}`, { run: 'true' }]));
      ids[workflow] = (await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow(tasks, { workflow, schedules }))).workflowId!;
    }
  });
  afterAll(() => server.close());

  const schedules = async (query: string) =>
    (await server.admin.get<Page<ScheduleView>>(`/schedules?${query}`)).items.map(({ name }) => name);

  async function allPages<Item extends { name: string }>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page<Item> = await server.admin.get<Page<Item>>(`${path}&limit=1${cursor && `&cursor=${cursor}`}`);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  }

  it.each([
    ['name', ['alpha', 'beta', 'gamma']],
    ['-name', ['gamma', 'beta', 'alpha']],
    ['updated', ['alpha', 'beta', 'gamma']],
    ['-tasks', ['gamma', 'alpha', 'beta']],
  ])('are sorted by %s over all pages', async (sort, names) => {
    const found = (await allPages<WorkflowListItem>(`/workflows?sort=${sort}`)).map(({ name }) => name);
    if (sort === '-tasks') expect(found.at(-1)).toBe('beta');
    else expect(found).toEqual(names);
  });

  it('sort schedules by what fires next, also over pages', async () => {
    const nextFires = async (sort: string) =>
      (await allPages<ScheduleView>(`/schedules?sort=${sort}`)).map(({ nextFireAt }) => nextFireAt!);
    const byNext = await nextFires('next');
    expect(byNext).toEqual(byNext.toSorted());
    // The rules fire every 5 minutes, hourly and daily: at most two of them next fire at the same time.
    expect(new Set(byNext).size).toBeGreaterThan(1);
    const byLast = await nextFires('-next');
    expect(byLast).toEqual(byLast.toSorted().toReversed());
    expect([byNext.length, byLast.length]).toEqual([3, 3]);
  });

  it('search names, workflows, rules and zones', async () => {
    expect(await schedules('search=SHANGHAI')).toEqual(['daily']);
    expect(await schedules('search=alpha&sort=-name')).toEqual(['often', 'hourly']);
    expect(await schedules('search=30 9')).toEqual(['daily']);
    expect(await schedules('search=nothing-like-it')).toEqual([]);
  });

  it('switch many at once after counting them, and only those of the filter', async () => {
    const body = { workflowId: ids.alpha, enabled: false };
    const counted = await server.admin.post<SwitchedSchedules>('/schedules/switch', { ...body, dryRun: true });
    expect(counted).toEqual({ matched: 2, changed: 2, dryRun: true });
    expect(await schedules('enabled=false')).toEqual([]);
    expect(await server.admin.post('/schedules/switch', body)).toEqual({ matched: 2, changed: 2, dryRun: false });
    const disabled = [{ enabled: true }, { enabled: false }];
    expect(await changesOfLast(server.admin, 'switchSchedules', 'schedule')).toEqual([
      ['hourly', ...disabled],
      ['often', ...disabled],
    ]);
    expect(await schedules('enabled=false&sort=name')).toEqual(['hourly', 'often']);
    const { items } = await server.admin.get<Page<WorkflowListItem>>('/workflows?search=alpha');
    expect(items).toMatchObject([{ scheduleCount: 2, enabledScheduleCount: 0 }]);
    expect(await server.admin.post('/schedules/switch', { enabled: true })).toEqual({ matched: 3, changed: 2, dryRun: false });
  });

  it('show a month by days: what is to come, counted, and what became of what came', async () => {
    const next = new Date();
    next.setUTCMonth(next.getUTCMonth() + 1, 1);
    const month = next.toISOString().slice(0, 7);
    const coming = await server.admin.get<ScheduleCalendar>(`/schedules/calendar?month=${month}&zone=UTC`);
    expect(coming.days.length).toBeGreaterThan(27);
    expect(coming).toMatchObject({ schedulesLeftOut: 0, runsSince: null });
    expect(coming.days.every(({ fireCount }) => fireCount === 24 + 288 + 1)).toBe(true);
    const daily = coming.days[0]!.fires.find(({ schedule }) => schedule === 'daily');
    expect(daily).toMatchObject({ count: 1, at: [`${month}-01T01:30:00.000Z`] });
    const [schedule] = (await server.admin.get<Page<ScheduleView>>('/schedules?search=daily')).items;
    await server.source.query(
      `insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, schedule_id, fire_at, task_count, open_tasks)
       values ('01600000-0000-7000-8000-000000000000', $1, $2, 1, 'failed', 'schedule', $3, '2021-03-04T17:00:00Z', 1, 0)`,
      [schedule!.projectId, schedule!.workflowId, schedule!.id],
    );
    const past = await server.admin.get<ScheduleCalendar>(`/schedules/calendar?month=2021-03&zone=Asia/Shanghai`);
    expect(past.days.filter(({ runs }) => runs.length > 0)).toMatchObject([
      { day: '2021-03-05', fireCount: 0, runCounts: { failed: 1 }, runs: [{ schedule: 'daily', state: 'failed' }] },
    ]);
    expect((await server.admin.get<Page<ScheduleView>>('/schedules?search=daily')).items[0]!.lastRun).toMatchObject({
      state: 'failed',
      fireAt: '2021-03-04T17:00:00.000Z',
    });
  });

  it('refuse a sort, a month or a zone that is none, and a cursor of another order', async () => {
    expect(await problemFrom(server.admin.get('/schedules?sort=color'))).toMatchObject({ status: 400, fields: [{ path: 'sort' }] });
    expect(await problemFrom(server.admin.get('/schedules/calendar?month=2026-13'))).toMatchObject({ fields: [{ path: 'month' }] });
    expect(await problemFrom(server.admin.get('/schedules/calendar?month=2026-12&zone=Mars/Base'))).toMatchObject({
      fields: [{ path: 'zone' }],
    });
    const { nextCursor } = await server.admin.get<Page<ScheduleView>>('/schedules?limit=1&sort=name');
    expect(await problemFrom(server.admin.get(`/schedules?limit=1&sort=next&cursor=${nextCursor}`))).toMatchObject({
      code: 'cursor-invalid',
    });
  });
});
