import type { ApplyAnswer, Page, PlacementReplay, PlacementView, PoolView, RunTasks, RunView, Why } from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

/** Steps in their order: each goes on where the one before ended. */
describe('the maximum CPU load of a pool', () => {
  let server: TestServer;
  let pool: PoolView;
  let busy: TestAgent;
  beforeAll(async () => {
    // A node of the last step is silent for half a minute and still counts as there.
    server = await startTestServer({ MEDLEY_UNREACHABLE_SECONDS: '120', MEDLEY_LEASE_SECONDS: '240' });
    const pools = await server.admin.get<Page<PoolView>>('/pools');
    pool = pools.items[0]!;
    busy = await TestAgent.join(server.url, server.credentials.joinToken, 'busy');
  });
  afterAll(() => server.close());

  const setMaximum = (maxCpuPercent?: number) =>
    server.admin.patch<PoolView>(`/pools/${pool.id}`, { policy: { selector: 'random', ...(maxCpuPercent ? { maxCpuPercent } : {}) } });
  async function startTask(): Promise<{ id: string }> {
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow({ a: { run: 'true' } }));
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`);
    return (await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`)).items[0]!;
  }
  const why = (task: { id: string }) => server.admin.get<Why>(`/task-runs/${task.id}/why`);
  async function end(agent: TestAgent): Promise<void> {
    const [dispatch] = await agent.receive();
    await agent.claim(dispatch!);
    await agent.finish(dispatch!, 'succeeded');
  }

  it('is off until it is set, and is a whole number of percent', async () => {
    await busy.heartbeat(100);
    await startTask();
    await end(busy);
    expect(await setMaximum(80)).toMatchObject({ policy: { selector: 'random', maxCpuPercent: 80 } });
    for (const wrong of [101, 0.5, -1]) expect(await problemFrom(setMaximum(wrong))).toMatchObject({ status: 400 });
  });

  it('keeps work from a loaded node, tells why, and places it as soon as a heartbeat tells less', async () => {
    await busy.heartbeat(93.4);
    const task = await startTask();
    const reason = await waitFor(async () => {
      const answer = await why(task);
      return answer.reason.code === 'overloaded' ? answer.reason : null;
    });
    expect(reason.text).toContain("busy has a CPU load of 93 % (the pool's maximum is 80 %); starts when the load of one falls");
    expect((await busy.work()).dispatches).toEqual([]);
    await busy.heartbeat(79.4);
    await end(busy);
  });

  it('counts the nodes it removed in the stored decision, which replays to the same', async () => {
    await busy.heartbeat(95);
    const calm = await TestAgent.join(server.url, server.credentials.joinToken, 'calm');
    await calm.heartbeat(10);
    await startTask();
    const [dispatch] = await calm.receive();
    const { decision } = await server.admin.get<PlacementView>(`/attempts/${dispatch!.attemptId}/placement`);
    expect(decision).toMatchObject({
      candidates: 1,
      removed: [{ filter: 'load-threshold', count: 1, reason: "CPU load at or above the pool's maximum of 80 %", examples: ['busy'] }],
    });
    expect(await server.admin.post<PlacementReplay>(`/attempts/${dispatch!.attemptId}/placement/replay`)).toMatchObject({
      identical: true,
    });
    await calm.claim(dispatch!);
    await calm.finish(dispatch!, 'succeeded');
    await server.admin.patch(`/nodes/${calm.nodeId}`, { cordoned: true });
  });

  it('does not go by a load that is too old to tell', async () => {
    await server.source.query(`update node_heartbeats set received_at = received_at - interval '31 seconds' where node_id = $1`, [
      busy.nodeId,
    ]);
    await startTask();
    await end(busy);
  });
});
