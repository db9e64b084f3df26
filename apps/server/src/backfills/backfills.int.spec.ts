import type { ApplyAnswer, Backfill, BackfillFire, BackfillPreview, Page, RunListItem, RunView, ScheduleView } from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

const march = { from: '2026-03-27', to: '2026-03-30' };

describe('backfills', () => {
  let server: TestServer;
  let agent: TestAgent;
  let schedule: ScheduleView;
  beforeAll(async () => {
    server = await startTestServer();
    agent = await TestAgent.join(server.url, server.credentials.joinToken);
    const document = aWorkflow(
      { a: { run: 'true' } },
      {
        parameters: { day: { type: 'date' }, region: { type: 'string', default: 'north' } },
        schedules: { nightly: { cron: '30 2 * * *', zone: 'Asia/Shanghai', parameters: { day: '${{ schedule.date }}' } } },
      },
    );
    await server.admin.post<ApplyAnswer>('/workflows/apply', document);
    schedule = (await server.admin.get<Page<ScheduleView>>('/schedules')).items[0]!;
  });
  afterAll(() => server.close());

  const preview = (scope: object) => server.admin.post<BackfillPreview>(`/schedules/${schedule.id}/backfills/preview`, scope);
  const start = (body: object) => server.admin.post<Backfill>(`/schedules/${schedule.id}/backfills`, body);
  const read = (id: string) => server.admin.get<Backfill>(`/backfills/${id}`);
  const runsOf = async (id: string) =>
    (await server.admin.get<Page<RunListItem>>(`/runs?backfillId=${id}&sort=oldest`)).items.map(({ fireAt }) => fireAt);

  it('are previewed: how many fires, the first and the last, by the wall clock of the zone', async () => {
    const told = await preview(march);
    expect(told).toMatchObject({ zone: 'Asia/Shanghai', inRange: 4, existing: 0, count: 4, workflowVersion: 1 });
    expect([told.first, told.last]).toEqual(['2026-03-26T18:30:00.000Z', '2026-03-29T18:30:00.000Z']);
    expect(told.shown[0]).toMatchObject({ local: '2026-03-27 02:30:00 GMT+08:00', included: true, runId: null });
  });

  it('run every date with its own day and the parameters that were given in place of the schedule’s, in the order asked for', async () => {
    const begun = await start({
      ...march,
      direction: 'newest-first',
      parallel: 2,
      parameters: { region: 'south-${{ schedule.date }}' },
      expected: 4,
    });
    expect(begun).toMatchObject({ state: 'running', total: 4, schedule: 'nightly', createdBy: 'admin' });
    await agent.run(2, 'succeeded');
    await agent.run(1, 'failed');
    await agent.run(1, 'succeeded');
    const ended = await waitFor(async () => {
      const backfill = await read(begun.id);
      return backfill.state === 'finished' && backfill;
    });
    expect(ended).toMatchObject({ total: 4, waiting: 0, active: 0, succeeded: 3, failed: 1 });
    const { items } = await server.admin.get<Page<BackfillFire>>(`/backfills/${begun.id}/fires?limit=3`);
    expect(items.map(({ fireAt }) => fireAt.slice(0, 10))).toEqual(['2026-03-29', '2026-03-28', '2026-03-27']);
    const run = await server.admin.get<RunView>(`/runs/${items[0]!.runId}`);
    expect(run).toMatchObject({ trigger: 'backfill', backfillId: begun.id, parameters: { day: '2026-03-30', region: 'south-2026-03-30' } });
    expect(await runsOf(begun.id)).toHaveLength(4);
    const { lastRun } = await server.admin.get<ScheduleView>(`/schedules/${schedule.id}`);
    expect(lastRun).toMatchObject({ fireAt: expect.stringMatching(/^2026-03-29/), state: 'succeeded' });
    expect(await server.admin.get(`/schedules/${schedule.id}/backfills`)).toMatchObject({ items: [{ id: begun.id }] });
  });

  it('of what is missing leave out what was begun, and of what is unsuccessful what succeeded since, by a rerun as well', async () => {
    expect(await preview({ ...march, to: '2026-03-31', fires: 'missing' })).toMatchObject({
      inRange: 5,
      existing: 4,
      succeeded: 3,
      count: 1,
    });
    expect(await preview({ ...march, fires: 'all' })).toMatchObject({ count: 4 });
    const unsuccessful = await preview({ ...march, fires: 'unsuccessful' });
    expect(unsuccessful).toMatchObject({ count: 1 });
    const { runId } = unsuccessful.shown.find(({ included }) => included)!;
    await server.admin.post(`/runs/${runId}/rerun`, { mode: 'all' });
    expect(await preview({ ...march, fires: 'unsuccessful' })).toMatchObject({ count: 0 });
    await agent.run(1, 'succeeded');
  });

  it('are cancelled with the runs under way when that is wanted, and told of in the audit', async () => {
    const range = { from: '2026-02-01', to: '2026-02-05' };
    const begun = await start({ ...range, parallel: 2, expected: 5 });
    await waitFor(async () => (await read(begun.id)).active === 2);
    await server.admin.post(`/backfills/${begun.id}/cancel`, { runs: 'cancel' });
    const ended = await waitFor(async () => {
      const backfill = await read(begun.id);
      return backfill.state === 'cancelled' && backfill;
    });
    expect(ended).toMatchObject({ cancelled: 2, left: 3, waiting: 0, reason: null });
    expect(await server.admin.post(`/backfills/${begun.id}/cancel`, {})).toMatchObject({ state: 'cancelled' });
    const { items } = await server.admin.get<Page<{ action: string }>>(`/audit?entityId=${schedule.id}`);
    expect(items.map(({ action }) => action)).toEqual(expect.arrayContaining(['startBackfill', 'cancelBackfill']));
  });

  it('are begun once per idempotency key, and not when other fires are due than were told', async () => {
    const body = JSON.stringify({ from: '2026-01-01', to: '2026-01-02', expected: 2 });
    const once = () =>
      server.admin.request('POST', `/schedules/${schedule.id}/backfills`, {
        body,
        headers: { 'content-type': 'application/json', 'idempotency-key': 'january' },
      });
    const answers = await Promise.all([once(), once()]);
    const [one, other] = (await Promise.all(answers.map((answer) => answer.json()))) as Backfill[];
    expect(one!.id).toBe(other!.id);
    expect(await problemFrom(start({ from: '2026-01-01', to: '2026-01-02', fires: 'all', expected: 3 }))).toMatchObject({
      status: 412,
      code: 'stale-version',
    });
  });

  it.each([
    ['quartz', { cron: '0 0 9 L-3W * ?', dialect: 'quartz', zone: 'Asia/Shanghai' }, ['2026-02-25T01:00', '2026-03-27T01:00']],
    ['rate', { fixedRate: '36h', start: '2026-03-27T12:00' }, ['2026-03-27T12:00', '2026-03-29T00:00', '2026-03-30T12:00']],
    ['once', { at: '2026-03-28T08:00' }, ['2026-03-28T08:00']],
    ['dates', { upstream: [{ workflow: 'test' }], start: '2026-03-29', zone: 'Europe/Berlin' }, ['2026-03-28T23:00', '2026-03-29T22:00']],
  ])('of a rule of the kind %s start its fires in the range', async (workflow, rule, expected) => {
    const { workflowId } = await server.admin.post<ApplyAnswer>(
      '/workflows/apply',
      aWorkflow({ a: { run: 'true' } }, { workflow: `of-${workflow}`, schedules: { other: rule } }),
    );
    const [{ id }] = (await server.admin.get<Page<ScheduleView>>(`/schedules?workflowId=${workflowId}`)).items as [ScheduleView];
    const range = { from: '2026-02-20', to: '2026-03-30' };
    const begun = await server.admin.post<Backfill>(`/schedules/${id}/backfills`, { ...range, expected: expected.length, parallel: 10 });
    await waitFor(async () => (await read(begun.id)).active === expected.length);
    expect((await runsOf(begun.id)).map((at) => at!.slice(0, 16))).toEqual(expected);
    await server.admin.post(`/backfills/${begun.id}/cancel`, { runs: 'cancel' });
  });

  it.each([
    ['delay', { fixedDelay: '1h' }, 'depends on its runs'],
    ['hook', { webhook: {} }, 'No clock starts this schedule'],
  ])('are refused for a rule of the kind %s, with the reason', async (workflow, rule, reason) => {
    const { workflowId } = await server.admin.post<ApplyAnswer>(
      '/workflows/apply',
      aWorkflow({ a: { run: 'true' } }, { workflow: `of-${workflow}`, schedules: { other: rule } }),
    );
    const [{ id }] = (await server.admin.get<Page<ScheduleView>>(`/schedules?workflowId=${workflowId}`)).items as [ScheduleView];
    const refused = await problemFrom(server.admin.post(`/schedules/${id}/backfills/preview`, march));
    expect(refused).toMatchObject({ code: 'schedule-kind-wrong', detail: expect.stringContaining(reason) });
  });

  it.each([
    [{ from: '2026-03-02', to: '2026-03-01' }, 'validation-failed', 'to'],
    [{ from: '2999-01-01', to: '2999-01-02' }, 'validation-failed', 'from'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'validation-failed', 'from'],
    [{ from: '1970-01-01', to: '2026-03-01' }, 'validation-failed', 'to'],
    [{ ...march, parameters: { day: 'yesterday' } }, 'parameter-invalid', 'parameters.day'],
    [{ ...march, parameters: { regoin: 'x' } }, 'parameter-invalid', 'parameters.regoin'],
  ])('refuse %j before anything is started, and name the field', async (scope, code, path) => {
    const ids = async () => (await server.admin.get<Page<Backfill>>(`/schedules/${schedule.id}/backfills`)).items.map(({ id }) => id);
    const before = await ids();
    expect(await problemFrom(preview(scope))).toMatchObject({ status: 400, code, fields: [{ path }] });
    expect(await problemFrom(start({ ...scope, expected: 1 }))).toMatchObject({ status: 400, code });
    expect(await ids()).toEqual(before);
  });
});
