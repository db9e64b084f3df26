import type { ApplyAnswer, NodeListItem, NodeLoadHistory, NodesChange, NodeView, Page } from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeSamples } from '../history/node-samples.repository.js';
import { changesOfLast } from '../testing/audited-changes.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

/** Steps in their order: each goes on where the one before ended. */
describe('many nodes', () => {
  let server: TestServer;
  let agents: TestAgent[];
  beforeAll(async () => {
    server = await startTestServer();
    agents = [];
    for (const [index, name] of ['alpha', 'beta', 'gamma'].entries()) {
      const agent = await TestAgent.join(server.url, server.credentials.joinToken, name);
      agents.push(agent);
      await server.admin.patch(`/nodes/${agent.nodeId}`, { declaredSpeed: 3 - index, labels: { zone: index === 0 ? 'dc1' : 'dc2' } });
      await agent.heartbeat(10 * (index + 1));
    }
  });
  afterAll(() => server.close());

  const names = async (query: string) => (await server.admin.get<Page<NodeListItem>>(`/nodes?${query}`)).items.map(({ name }) => name);
  const change = (body: object) => server.admin.post<NodesChange>('/nodes/changes', body);

  it('are found by part of a name, by a label expression and by what they were told', async () => {
    expect(await names('search=AMM')).toEqual(['gamma']);
    expect(await names(`labels=${encodeURIComponent('zone = dc2 and not node = beta')}`)).toEqual(['gamma']);
    expect(await names('labels=zone%20exists&service=open&limit=2')).toEqual(['alpha', 'beta']);
    expect(await problemFrom(server.admin.get(`/nodes?labels=${encodeURIComponent('zone = ')}`))).toMatchObject({
      status: 400,
      fields: [{ path: 'labels', message: expect.stringContaining('expected') }],
    });
  });

  it.each([
    ['performance', ['gamma', 'beta', 'alpha']],
    ['-load', ['gamma', 'beta', 'alpha']],
    ['-name', ['gamma', 'beta', 'alpha']],
    ['cpu', ['alpha', 'beta', 'gamma']],
  ])('are sorted by %s, also from one page to the next', async (sort, expected) => {
    const found: string[] = [];
    let cursor = '';
    do {
      const page = await server.admin.get<Page<NodeListItem>>(`/nodes?sort=${sort}&limit=1${cursor}`);
      found.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
    } while (cursor !== '');
    expect(found).toEqual(expected);
  });

  it('tell what a bulk change would hit, and change nothing until it is meant', async () => {
    const body = { filter: { labels: 'zone = dc2' }, draining: true, reason: 'new disks' };
    expect(await change({ ...body, dryRun: true })).toEqual({ dryRun: true, found: 2, changed: 2, liveAttempts: 0, emptiedPools: [] });
    expect(await names('service=draining')).toEqual([]);
    expect(await change({ filter: {}, cordoned: true, dryRun: true })).toMatchObject({ changed: 3, emptiedPools: ['default'] });
    expect(await change(body)).toMatchObject({ changed: 2, liveAttempts: 0 });
    expect(await names('service=draining')).toEqual(['beta', 'gamma']);
    const drained = [{ draining: false }, { draining: true }];
    expect(await changesOfLast(server.admin, 'changeNodes', 'node')).toEqual([
      ['beta', ...drained],
      ['gamma', ...drained],
    ]);
    expect(await change(body)).toMatchObject({ found: 2, changed: 0 });
    expect(await changesOfLast(server.admin, 'changeNodes', 'node')).toEqual([]);
    expect(await problemFrom(change({ filter: {} }))).toMatchObject({ status: 400, fields: [{ path: 'cordoned' }] });
  });

  it('say since when, why and by whom they are out of service, until they are back', async () => {
    const beta = await server.admin.get<NodeView>(`/nodes/${agents[1]!.nodeId}`);
    expect(beta.service).toMatchObject({ reason: 'new disks', by: 'admin', drainAttempts: 0, since: expect.any(String) });
    expect(await server.admin.patch(`/nodes/${agents[1]!.nodeId}`, { draining: false })).toMatchObject({ service: null, draining: false });
  });

  it('measure a drain against what they held when it began', async () => {
    await change({ filter: { search: 'beta' }, cordoned: true });
    const file = aWorkflow({ a: { run: 'true' }, b: { run: 'true' } });
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', file);
    await server.admin.post(`/workflows/${workflowId}/runs`);
    const [first] = await agents[0]!.receive(2);
    const drained = await server.admin.patch<NodeView>(`/nodes/${agents[0]!.nodeId}`, { draining: true, reason: 'kernel' });
    expect(drained).toMatchObject({ liveAttempts: 2, service: { reason: 'kernel', drainAttempts: 2 } });
    await agents[0]!.claim(first!);
    await agents[0]!.finish(first!, 'succeeded');
    await waitFor(async () => (await server.admin.get<NodeView>(`/nodes/${agents[0]!.nodeId}`)).liveAttempts === 1);
    const going = await server.admin.get<NodeView>(`/nodes/${agents[0]!.nodeId}`);
    expect(going.service).toMatchObject({ reason: 'kernel', drainAttempts: 2 });
  });

  it('keep the history of their load', async () => {
    await takeSamples({ query: (text: string, values?: unknown[]) => server.source.query(text, values) } as never);
    const now = Date.now();
    const range = `from=${new Date(now - 600_000).toISOString()}&to=${new Date(now + 60_000).toISOString()}`;
    const load = await server.admin.get<NodeLoadHistory>(`/nodes/${agents[2]!.nodeId}/load?${range}`);
    expect(load.stepSeconds).toBe(30);
    expect(load.cpuPercent).toHaveLength(load.at.length);
    expect(load.cpuPercent.filter((percent) => percent !== null)).toEqual([30]);
  });
});
