import { randomUUID } from 'node:crypto';
import type { ApplyAnswer, LimitDetail, LimitView, Page, ProjectView, QuotaView, RunKeys, RunTasks, RunView, Why } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('limits over REST', () => {
  let server: TestServer;
  let cast: Cast;
  let projectId: string;

  beforeAll(async () => {
    server = await startTestServer();
    cast = new Cast(server);
    projectId = (await server.admin.get<Page<ProjectView>>('/projects')).items.find(({ name }) => name === 'default')!.id;
    await TestAgent.join(server.url, server.credentials.joinToken);
  });
  afterAll(() => server.close());

  const apply = (file: Record<string, unknown>) => server.admin.post<ApplyAnswer>('/workflows/apply', file);
  const start = (workflowId: string) => server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
  const put = (path: string, body: object, client = server.admin) =>
    client.request('PUT', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

  it('are made, changed and removed, with the places of faults', async () => {
    const made = await server.admin.post<LimitDetail>(`/projects/${projectId}/limits`, { name: 'licence', slots: 2 });
    expect(made).toMatchObject({ name: 'licence', slots: 2, rate: null, taken: 0, holders: [], queue: [], project: 'default' });
    const at = `/projects/${projectId}/limits/${made.id}`;
    expect(await server.admin.patch(at, { slots: null, rate: { starts: 5, seconds: 60 } })).toMatchObject({ slots: null, started: 0 });
    expect(await problemFrom(server.admin.patch(at, { rate: null }))).toMatchObject({ code: 'limit-invalid' });
    expect(await problemFrom(server.admin.post(`/projects/${projectId}/limits`, { name: 'licence', slots: 1 }))).toMatchObject({
      code: 'name-taken',
    });
    expect(await problemFrom(server.admin.post('/limits', { name: 'nothing' }))).toMatchObject({
      status: 400,
      fields: [{ path: 'slots' }],
    });
    await server.admin.delete(at);
    expect(await problemFrom(server.admin.get(at))).toMatchObject({ code: 'not-found' });
  });

  it('that a workflow names must exist and have enough slots', async () => {
    await server.admin.post(`/projects/${projectId}/limits`, { name: 'gpu-a', slots: 2 });
    const problem = await problemFrom(
      apply(aWorkflow({ a: { run: 'true', limits: ['gpu-b'] }, b: { run: 'true', limits: { 'gpu-a': 3 } } })),
    );
    expect(problem).toMatchObject({
      code: 'workflow-invalid',
      fields: [
        { path: 'tasks.a.limits.0', message: 'there is no limit named `gpu-b`; did you mean `gpu-a`?' },
        { path: 'tasks.b.limits.gpu-a', expected: 'at most 2' },
      ],
    });
  });

  it('tell who holds them and who waits, also to the task that waits, and stay while they are used', async () => {
    const limit = await server.admin.post<LimitDetail>('/limits', { name: 'shared', slots: 1 });
    const file = aWorkflow(
      { a: { run: 'true', priority: 1 }, b: { run: 'true' } },
      { workflow: 'sharing', defaults: { limits: ['shared'] } },
    );
    const { workflowId } = await apply(file);
    const run = await start(workflowId!);
    const detail = () => server.admin.get<LimitDetail>(`/limits/${limit.id}`);
    const soon = { timeout: 20_000 };
    await expect
      .poll(async () => (await detail()).holders, soon)
      .toMatchObject([{ workflow: 'sharing', task: 'a', runId: run.id, slots: 1 }]);
    await expect.poll(async () => (await detail()).queue, soon).toMatchObject([{ task: 'b', code: 'limit-full' }]);
    const { items } = await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`);
    const why = await server.admin.get<Why>(`/task-runs/${items[1]!.id}/why`);
    expect(why.reason).toMatchObject({
      code: 'limit-full',
      values: { limits: [{ name: 'shared', slots: 1, taken: 1, holders: [{ task: 'a' }] }] },
    });

    const stranger = await cast.player({ roles: { [await cast.project('elsewhere')]: 'admin' } });
    expect(await stranger.client.get(`/limits/${limit.id}`)).toMatchObject({
      holders: [],
      queue: [],
      hiddenHolders: 1,
      hiddenWaiting: 1,
      taken: 1,
    });
    expect(await problemFrom(stranger.client.patch(`/limits/${limit.id}`, { slots: 9 }))).toMatchObject({ status: 403 });
    expect(await problemFrom(server.admin.delete(`/limits/${limit.id}`))).toMatchObject({ code: 'limit-in-use' });

    await server.admin.patch(`/limits/${limit.id}`, { slots: 2 });
    await expect.poll(async () => (await detail()).holderCount, soon).toBe(2);
    await server.admin.post(`/runs/${run.id}/cancel`);
    await expect.poll(async () => (await detail()).holderCount, soon).toBe(0);
  });

  it('of another project are not there, and a mutex keeps its one slot', async () => {
    const { workflowId } = await apply(aWorkflow({ a: { run: 'true', mutex: 'table' } }, { workflow: 'exclusive' }));
    const run = await start(workflowId!);
    const mutex = (await server.admin.get<Page<LimitView>>('/limits?limit=200')).items.find(({ name }) => name === 'table')!;
    expect(mutex).toMatchObject({ kind: 'mutex', slots: 1, projectId });
    const at = `/projects/${projectId}/limits/${mutex.id}`;
    expect(await problemFrom(server.admin.patch(at, { slots: 2 }))).toMatchObject({ code: 'limit-invalid' });
    const elsewhere = await cast.project('another');
    const stranger = await cast.player({ roles: { [elsewhere]: 'admin' } });
    expect(await problemFrom(stranger.client.get(at))).toMatchObject({ code: 'not-found' });
    expect(await problemFrom(server.admin.get(`/projects/${elsewhere}/limits/${mutex.id}`))).toMatchObject({ code: 'not-found' });
    expect(await problemFrom(server.admin.get(`/projects/${projectId}/limits/${randomUUID()}`))).toMatchObject({ code: 'not-found' });
    expect((await stranger.client.get<Page<LimitView>>('/limits?limit=200')).items.map(({ name }) => name)).not.toContain('table');
    await server.admin.post(`/runs/${run.id}/cancel`);
  });

  it('of a project in total are its quota, which an administrator of the platform sets', async () => {
    const quota = { cpuMillis: 4000, memoryMib: null, gpuCount: null, attempts: 10 };
    const answer = await put(`/projects/${projectId}/quota`, quota);
    expect(await answer.json()).toMatchObject({ project: 'default', quota, used: { gpuCount: 0 } });
    const admin = await cast.player({ roles: { [projectId]: 'admin' } });
    expect(await admin.client.get<{ items: QuotaView[] }>('/quotas')).toMatchObject({ items: [{ projectId, quota }] });
    expect((await put(`/projects/${projectId}/quota`, quota, admin.client)).status).toBe(403);
    await put(`/projects/${projectId}/quota`, { cpuMillis: null, memoryMib: null, gpuCount: null, attempts: null });
    expect(await server.admin.get('/quotas')).toEqual({ items: [] });
  });

  it('of runs are their keys: a run that waits tells for whom', async () => {
    const concurrency = { key: `day-${'$'}{{ parameters.day }}` };
    const parameters = { day: { type: 'date', default: '2026-01-01' } };
    const { workflowId } = await apply(aWorkflow({ a: { run: 'true' } }, { workflow: 'keyed', concurrency, parameters }));
    const [first, second] = [await start(workflowId!), await start(workflowId!)];
    const values = { key: 'day-2026-01-01', holders: [{ runId: first.id }] };
    expect(second).toMatchObject({ state: 'queued', reason: { code: 'run-queued', values } });
    const { items } = await server.admin.get<RunTasks>(`/runs/${second.id}/tasks`);
    expect((await server.admin.get<Why>(`/task-runs/${items[0]!.id}/why`)).reason).toMatchObject({
      code: 'run-queued',
      values: { before: 0 },
    });
    expect((await server.admin.get<RunKeys>('/run-keys')).items).toMatchObject([
      { workflow: 'keyed', key: 'day-2026-01-01', limit: 1, running: [{ runId: first.id }], waiting: [{ runId: second.id }] },
    ]);
    await server.admin.post(`/runs/${first.id}/cancel`);
    await expect.poll(async () => (await server.admin.get<RunView>(`/runs/${second.id}`)).reason, { timeout: 20_000 }).toBeNull();
    await server.admin.post(`/runs/${second.id}/cancel`);
  });
});
