import type { Page, RunView, VariableUses, VariableView } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast, type Player } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { reference } from '../testing/workflow.fixture.js';

describe('variables of a project', () => {
  let server: TestServer;
  let projectId: string;
  let developer: Player;
  let viewer: Player;
  let stranger: Player;
  beforeAll(async () => {
    server = await startTestServer();
    const cast = new Cast(server);
    projectId = await cast.project('growth');
    developer = await cast.player({ roles: { [projectId]: 'developer' } });
    viewer = await cast.player({ roles: { [projectId]: 'viewer' } });
    stranger = await cast.player();
  });
  afterAll(() => server.close());

  const path = (name: string) => `/projects/${projectId}/variables/${name}`;

  it('are set, searched and removed by developers, read by viewers, and hidden from others', async () => {
    const set = await developer.client.put<VariableView>(path('lake-url'), { value: 'https://lake.example' });
    expect(set).toMatchObject({ name: 'lake-url', value: 'https://lake.example', description: '' });
    await developer.client.put(path('LIMIT'), { value: '', description: 'of rows' });
    const found = await viewer.client.get<Page<VariableView>>(`/projects/${projectId}/variables?search=ROWS`);
    expect(found.items.map(({ name }) => name)).toEqual(['LIMIT']);
    expect(await problemFrom(viewer.client.put(path('LIMIT'), { value: '5' }))).toMatchObject({ status: 403 });
    expect(await problemFrom(stranger.client.get(`/projects/${projectId}/variables`))).toMatchObject({ status: 404 });
    await developer.client.delete(path('LIMIT'));
    expect(await problemFrom(developer.client.delete(path('LIMIT')))).toMatchObject({ status: 404 });
  });

  it('reach the tasks that name them as they are when a task starts; a missing one fails the task, by name', async () => {
    const agent = await TestAgent.join(server.url, server.credentials.joinToken);
    const file = aWorkflow({ a: { run: 'true', env: { LAKE: reference('variables.lake-url') } } }, { project: 'growth' });
    const { workflowId } = await server.admin.post<{ workflowId: string }>('/workflows/apply', file);
    await developer.client.put(path('lake'), { value: 'another' });
    expect(await developer.client.get<VariableUses>(`${path('lake')}/uses`)).toMatchObject({ workflows: [] });
    expect(await developer.client.get<VariableUses>(`${path('lake-url')}/uses`)).toMatchObject({ workflows: [{ id: workflowId }] });
    await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [dispatch] = await agent.receive();
    const claimed = await agent.claim(dispatch!);
    expect(claimed).toMatchObject({ granted: true, work: { env: { LAKE: 'https://lake.example' } } });
    await developer.client.delete(path('lake-url'));
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [second] = await agent.receive();
    expect(await agent.claim(second!)).toMatchObject({ granted: false });
    const { items } = await server.admin.get<{ items: { reason: { text: string } }[] }>(`/runs/${run.id}/tasks`);
    expect(items[0]!.reason.text).toContain('`variables.lake-url`: the project has no variable of that name');
  });
});
