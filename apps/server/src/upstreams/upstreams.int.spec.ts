import type {
  ApplyAnswer,
  Backfill,
  BackfillPreview,
  NextFires,
  Page,
  RunListItem,
  ScheduleView,
  UpstreamDatesView,
} from '@medley/contracts';
import { aWorkflow, type RestClient, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

const today = new Date().toISOString().slice(0, 10);

describe('workflows that start when others have succeeded', () => {
  let server: TestServer;
  let growth: string;
  let cast: Cast;
  let agent: TestAgent;
  beforeAll(async () => {
    server = await startTestServer();
    agent = await TestAgent.join(server.url, server.credentials.joinToken);
    cast = new Cast(server);
    growth = await cast.project('growth');
    await cast.project('finance');
  });
  afterAll(() => server.close());

  const file = (project: string, workflow: string, schedule: object, more: object = {}) =>
    aWorkflow({ a: { run: 'true' } }, { project, workflow, schedules: { start: schedule }, ...more });
  const daily = { cron: '0 0 * * *' };
  async function apply(project: string, workflow: string, schedule: object = daily, by: RestClient = server.admin, more: object = {}) {
    const { workflowId } = await by.post<ApplyAnswer>('/workflows/apply', file(project, workflow, schedule, more));
    return (await server.admin.get<Page<ScheduleView>>(`/schedules?workflowId=${workflowId}`)).items[0]!;
  }
  const dates = (id: string, by: RestClient = server.admin) => by.get<UpstreamDatesView>(`/schedules/${id}/upstream-dates`);
  const runsOf = async ({ workflowId }: ScheduleView) =>
    (await server.admin.get<Page<RunListItem>>(`/runs?workflowId=${workflowId}`)).items;
  const backfill = (id: string, from = today, to = today) =>
    server.admin
      .post<BackfillPreview>(`/schedules/${id}/backfills/preview`, { from, to })
      .then(({ count: expected }) => server.admin.post<Backfill>(`/schedules/${id}/backfills`, { from, to, expected }));
  const seeded = (id: string) =>
    waitFor(async () => {
      const [row] = await server.source.query('select is_seeded from upstream_counts where schedule_id = $1', [id]);
      return row?.is_seeded === true;
    });

  it('run with the date of the upstreams, which the schedule tells of before and after, in another project as well', async () => {
    const billing = await apply('finance', 'billing');
    const clicks = await apply('growth', 'clicks');
    const churn = await apply('growth', 'churn', { upstream: [{ workflow: 'finance/billing' }, { workflow: 'clicks' }] }, server.admin, {
      parameters: { day: { type: 'date', default: '${{ schedule.date }}' } },
    });
    expect(churn).toMatchObject({
      kind: 'upstream',
      nextFires: [],
      rule: { kind: 'upstream', upstreams: [{ project: 'finance' }, { project: null }] },
    });
    await seeded(churn.id);
    await backfill(clicks.id);
    await agent.run(1, 'succeeded');
    await waitFor(async () => (await dates(churn.id)).items[0]!.needs[1]!.isThere);
    const [waiting] = (await dates(churn.id)).items;
    expect(waiting).toMatchObject({
      day: today,
      state: 'waiting',
      needs: [
        { workflow: 'finance/billing', workflowId: billing.workflowId, day: today, isThere: false },
        { workflow: 'growth/clicks', isThere: true },
      ],
    });
    await backfill(billing.id);
    await agent.run(1, 'succeeded');
    const [run] = await waitFor(async () => {
      const runs = await runsOf(churn);
      return runs.length > 0 && runs;
    });
    await agent.run(1, 'succeeded');
    expect(await server.admin.get(`/runs/${run!.id}`)).toMatchObject({
      trigger: 'schedule',
      fireAt: `${today}T00:00:00.000Z`,
      parameters: { day: today },
    });
    expect((await dates(churn.id)).items.find(({ day }) => day === today)).toMatchObject({ state: 'fired' });
  });

  it('are backfilled by dates, whether or not the upstreams are there, and those dates do not start again', async () => {
    await apply('growth', 'source');
    const derived = await apply('growth', 'derived', { upstream: [{ workflow: 'source' }] });
    await seeded(derived.id);
    const told = await server.admin.post<BackfillPreview>(`/schedules/${derived.id}/backfills/preview`, {
      from: '2026-03-01',
      to: '2026-03-03',
    });
    expect(told).toMatchObject({ count: 3, first: '2026-03-01T00:00:00.000Z' });
    await backfill(derived.id);
    await agent.run(1, 'succeeded');
    const source = (await server.admin.get<Page<ScheduleView>>('/schedules?search=source')).items[0]!;
    await backfill(source.id);
    await agent.run(1, 'succeeded');
    await waitFor(async () => (await runsOf(source)).some(({ state }) => state === 'succeeded'));
    await waitFor(async () => {
      const [row] = await server.source.query('select exists (select 1 from upstream_arrivals where is_new) as some');
      return !row.some;
    });
    expect((await runsOf(derived)).map(({ trigger }) => trigger)).toEqual(['backfill']);
  });

  it('preview the beginnings of their dates, on working days only', async () => {
    await server.admin.put(`/projects/${growth}/calendars/weekdays`, { weekend: [0, 6], excluded: {}, working: {} });
    const keys = { upstream: [{ workflow: 'clicks' }], zone: 'Asia/Shanghai', calendar: 'weekdays', projectId: growth, count: 5 };
    const { items } = await server.admin.post<NextFires>('/schedules/preview', keys);
    expect(items.every(({ local }) => local.includes(' 00:00:00 '))).toBe(true);
    expect(items.map(({ at }) => new Date(Date.parse(at) + 8 * 3_600_000).getUTCDay()).every((day) => day >= 1 && day <= 5)).toBe(true);
  });

  it('are refused when an upstream is not there, may not be read, or waits for them in its turn', async () => {
    const developer = await cast.player({ roles: { [growth]: 'developer' } });
    const attempt = (schedule: object, workflow = 'late', by: RestClient = server.admin) =>
      problemFrom(by.post('/workflows/apply?dryRun=true', file('growth', workflow, schedule)));
    const fields = [{ path: 'schedules.start.upstream.0.workflow' }];
    expect(await attempt({ upstream: [{ workflow: 'nowhere' }] })).toMatchObject({ status: 400, code: 'validation-failed', fields });
    expect(await attempt({ upstream: [{ workflow: 'finance/billing' }] }, 'late', developer.client)).toMatchObject({ status: 400, fields });
    await apply('growth', 'first');
    await apply('growth', 'second', { upstream: [{ workflow: 'first' }] });
    await apply('growth', 'third', { upstream: [{ workflow: 'second', day: -1 }] });
    expect(await attempt({ upstream: [{ workflow: 'third' }] }, 'first')).toMatchObject({
      detail: expect.stringContaining('third → second → first'),
      fields,
    });
  });

  it('are searched for circles without going every way: here two to the power of twenty lead back', async () => {
    const layers = Array.from({ length: 20 }, (_, layer) => [`left-${layer}`, `right-${layer}`]);
    await apply('growth', 'root');
    for (const [layer, workflows] of layers.entries()) {
      const upstream = (layers[layer - 1] ?? ['root']).map((workflow) => ({ workflow }));
      for (const workflow of workflows) await apply('growth', workflow, { upstream });
    }
    const last = layers.at(-1)!.map((workflow) => ({ workflow }));
    const refused = await problemFrom(server.admin.post('/workflows/apply?dryRun=true', file('growth', 'root', { upstream: last })));
    expect(refused.detail).toMatch(/left-19 → (left|right)-18 → .* → root/);
  });

  it('tell of an upstream whose project was removed that it never comes, until the file is applied to one of the same name', async () => {
    const gone = await cast.project('gone');
    await apply('gone', 'lost');
    const left = await apply('growth', 'left', { upstream: [{ workflow: 'gone/lost' }] });
    await seeded(left.id);
    await server.admin.request('DELETE', `/projects/${gone}`);
    expect((await dates(left.id)).items[0]!.needs).toMatchObject([
      { workflow: 'gone/lost', workflowId: null, isRemoved: true, isThere: false },
    ]);
    await cast.project('gone');
    const anew = await apply('gone', 'lost');
    const again = () =>
      server.admin.post<ApplyAnswer>('/workflows/apply', file('growth', 'left', { upstream: [{ workflow: 'gone/lost' }] }));
    expect(await again()).toMatchObject({ changed: true });
    await seeded(left.id);
    expect((await dates(left.id)).items[0]!.needs).toMatchObject([{ workflowId: anew.workflowId, isRemoved: false }]);
    expect(await again()).toMatchObject({ changed: false });
  });

  it('leave nothing behind that waits once their project is removed', async () => {
    const closed = await cast.project('closed');
    await apply('growth', 'kept');
    const waiting = await apply('closed', 'waiting', { upstream: [{ workflow: 'growth/kept' }] });
    await seeded(waiting.id);
    await server.source.query(
      `insert into upstream_dates (schedule_id, day, fire_at) values ($1, current_date + 2, clock_timestamp() + interval '2 days')`,
      [waiting.id],
    );
    await server.admin.request('DELETE', `/projects/${closed}`);
    for (const table of ['schedule_upstreams', 'upstream_counts', 'upstream_dates'])
      expect(await server.source.query(`select 1 from ${table} where schedule_id = $1`, [waiting.id])).toEqual([]);
  });

  it('keep to a calendar that is changed, also for a date that is ready already', async () => {
    const calendar = `/projects/${growth}/calendars/rests`;
    const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    await server.admin.put(calendar, { weekend: [], excluded: {}, working: {} });
    const source = await apply('growth', 'early');
    const resting = await apply('growth', 'resting', { upstream: [{ workflow: 'early', day: -1 }], calendar: 'rests' });
    await seeded(resting.id);
    await backfill(source.id);
    await agent.run(1, 'succeeded');
    const stateOf = async () => (await dates(resting.id)).items.find(({ day }) => day === tomorrow)?.state;
    await waitFor(async () => (await stateOf()) === 'ready');
    await server.admin.put(calendar, { weekend: [], excluded: { [tomorrow]: 'rest' }, working: {}, version: 1 });
    await waitFor(async () => (await server.admin.get<ScheduleView>(`/schedules/${resting.id}`)).nextFireAt === null);
    expect(await stateOf()).toBeUndefined();
  });

  it('tell nobody of runs in a project that he may not read, and of no dates for another kind', async () => {
    const hidden = await apply('finance', 'hidden');
    const open = await apply('growth', 'open', { upstream: [{ workflow: 'finance/hidden' }] });
    await seeded(open.id);
    const viewer = await cast.player({ roles: { [growth]: 'viewer' } });
    expect((await dates(open.id, viewer.client)).items[0]!.needs).toMatchObject([
      { workflow: 'finance/hidden', workflowId: null, run: null },
    ]);
    expect(await problemFrom(dates(hidden.id))).toMatchObject({ code: 'schedule-kind-wrong' });
    expect(await problemFrom(dates(hidden.id, viewer.client))).toMatchObject({ status: 404 });
    await server.admin.post<ScheduleView>('/schedules/switch', { ids: [open.id], enabled: false });
    expect(await dates(open.id)).toMatchObject({ since: null, items: [] });
  });
});
