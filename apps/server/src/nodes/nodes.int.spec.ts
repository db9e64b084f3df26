import type { ApplyAnswer, NodeView, Page, PoolView, RunView } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('nodes', () => {
  let server: TestServer;
  let agent: TestAgent;
  beforeAll(async () => {
    server = await startTestServer();
    agent = await TestAgent.join(server.url, server.credentials.joinToken, 'alpha');
  });
  afterAll(() => server.close());

  const get = () => server.admin.get<NodeView>(`/nodes/${agent.nodeId}`);

  it('show capacity, use, performance and what they hold', async () => {
    const { workflowId } = await server.admin.post<ApplyAnswer>(
      '/workflows/apply',
      aWorkflow({ a: { run: 'true', resources: { cpu: 2, memory: '1GiB' } } }),
    );
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`);
    const [dispatch] = await agent.receive();
    expect(await get()).toMatchObject({
      name: 'alpha',
      pool: 'default',
      state: 'online',
      capacity: { cpuMillis: 8000, memoryMib: 16_384 },
      used: { cpuMillis: 2000, memoryMib: 1024 },
      liveAttempts: 1,
      performance: { measured: { allCores: 1 }, declaredSpeed: null, cpuLimit: { percent: 800, means: 'quota' }, effective: 1 },
      attempts: [
        { id: dispatch!.attemptId, runId: run.id, workflow: 'test', taskKey: 'a', state: 'dispatched', reserved: { cpuMillis: 2000 } },
      ],
    });
    expect(await problemFrom(server.admin.delete(`/nodes/${agent.nodeId}`))).toMatchObject({ status: 409, code: 'node-in-use' });
    await agent.claim(dispatch!);
    await agent.finish(dispatch!, 'succeeded');
    expect(await get()).toMatchObject({ used: { cpuMillis: 0 }, liveAttempts: 0, attempts: [] });
  });

  it('change only what is given, and a declared speed replaces the measured one until it is taken back', async () => {
    const patched = await server.admin.patch<NodeView>(`/nodes/${agent.nodeId}`, { declaredSpeed: 2.5, labels: { zone: 'dc1' } });
    expect(patched).toMatchObject({ cordoned: false, labels: { zone: 'dc1' }, performance: { declaredSpeed: 2.5, effective: 2.5 } });
    expect(await server.admin.patch(`/nodes/${agent.nodeId}`, { cordoned: true })).toMatchObject({
      cordoned: true,
      labels: { zone: 'dc1' },
    });
    const restored = await server.admin.patch<NodeView>(`/nodes/${agent.nodeId}`, { declaredSpeed: null, cordoned: false });
    expect(restored).toMatchObject({ cordoned: false, performance: { declaredSpeed: null, effective: 1 } });
    expect(await problemFrom(server.admin.patch(`/nodes/${agent.nodeId}`, { speed: 1 }))).toMatchObject({ fields: [{ path: 'speed' }] });
  });

  it('are removed when drained and empty, and their agents are refused from then on', async () => {
    const other = await TestAgent.join(server.url, server.credentials.joinToken, 'beta');
    expect(await problemFrom(server.admin.delete(`/nodes/${other.nodeId}`))).toMatchObject({ code: 'node-in-use' });
    await server.admin.patch(`/nodes/${other.nodeId}`, { draining: true });
    await server.admin.delete(`/nodes/${other.nodeId}`);
    expect(await problemFrom(server.admin.get(`/nodes/${other.nodeId}`))).toMatchObject({ status: 404 });
    await expect(other.work()).rejects.toThrow(/agent-credential-invalid/);
    const listed = await server.admin.get<Page<NodeView>>('/nodes?state=online');
    expect(listed.items.map((node) => node.name)).toEqual(['alpha']);
  });

  it('are chosen by the policy of their pool, which can be changed', async () => {
    const [pool] = (await server.admin.get<Page<PoolView>>('/pools')).items;
    expect(pool).toMatchObject({ name: 'default', policy: { selector: 'resource-pick-kx', k: 1 }, nodeCount: 1 });
    const changed = await server.admin.patch<PoolView>(`/pools/${pool!.id}`, { policy: { selector: 'earliest-finish' } });
    expect(changed.policy).toEqual({ selector: 'earliest-finish' });
    expect(await server.admin.get(`/pools/${pool!.id}`)).toMatchObject({ policy: { selector: 'earliest-finish' } });
    const problem = await problemFrom(server.admin.patch(`/pools/${pool!.id}`, { policy: { selector: 'best' } }));
    expect(problem).toMatchObject({ status: 400, fields: [{ path: 'policy.selector' }] });
  });
});
