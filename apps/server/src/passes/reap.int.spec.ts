import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';

describe('the reap pass', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };
  /** The pass's monotonic clock. */
  let seconds: number;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
  });
  beforeEach(async () => {
    seconds = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => seconds * 1000);
    await spine.sql.query(`update nodes set removed_at = clock_timestamp()`);
    replica = await spine.replica();
    pool = await spine.addPool();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await expectInvariants(spine);
  });
  afterAll(() => spine.close());

  /** Runs the pass once a second for a lease, in which the nodes that are to live beat. */
  async function afterTheGrace(): Promise<void> {
    const [now] = await spine.sql.query<{ ids: string[] }>('select array_agg(node_id) as ids from node_heartbeats');
    for (let second = 0; second <= 61; second += 5) {
      await silence(now!.ids, 0);
      await replica.passes.reap.run();
      seconds += 5;
    }
  }

  const silence = (nodeIds: string[], forSeconds: number) =>
    spine.sql.query(`update node_heartbeats set received_at = clock_timestamp() - make_interval(secs => $2) where node_id = any($1)`, [
      nodeIds,
      forSeconds,
    ]);
  const stateOf = async (nodeId: string) =>
    (await spine.sql.query<{ state: string }>('select state from nodes where id = $1', [nodeId]))[0]!.state;

  async function runningOn(nodeCount: number, tasks = { task: {} }) {
    const nodes: string[] = [];
    for (let count = 0; count < nodeCount; count++) nodes.push(await spine.addNode(pool.id));
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    const attempts = await replica.runReady(runId);
    return { nodes, runId, nodeId: attempts.get('task')!.node_id, attempt: attempts.get('task')! };
  }

  it('gives a silent node no new work, and takes its attempts only when the lease is over', async () => {
    const { runId, nodeId, attempt } = await runningOn(2);
    await afterTheGrace();
    await silence([nodeId], 40);
    await replica.passes.reap.run();
    expect(await stateOf(nodeId)).toBe('unreachable');
    expect(await spine.taskStates(runId)).toEqual({ task: 'running' });

    await silence([nodeId], 61);
    await replica.passes.reap.run();
    expect(await stateOf(nodeId)).toBe('offline');
    expect(await spine.taskStates(runId)).toEqual({ task: 'ready' });
    const retried = (await replica.runReady(runId)).get('task')!;
    expect(retried.node_id).not.toBe(nodeId);
    expect(retried.fence).toBe(attempt.fence + 1);
    expect((await spine.attempts(runId)).map(({ state }) => state)).toEqual(['lost', 'running']);
  });

  it('leaves what was only prefetched to a node to the relay: nothing was lost with it', async () => {
    pool = await spine.addPool({ selector: 'random', prefetch: 1 });
    const nodeId = await spine.addNode(pool.id, { cpuMillis: 1000 });
    await spine.addNode(pool.id, { cpuMillis: 500 });
    await spine.addNode(pool.id, { cpuMillis: 500 });
    const tasks = { task: { cpuMillis: 1000, priority: 1 }, ahead: { cpuMillis: 1000 } };
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    await spine.sql.query('update task_runs set expected_seconds = 0.1 where run_id = $1', [runId]);
    await replica.runReady(runId);
    expect(await spine.attempt(runId, 'ahead')).toMatchObject({ node_id: nodeId, prefetched: true, state: 'dispatched' });
    await afterTheGrace();
    await silence([nodeId], 61);
    await replica.passes.reap.run();
    expect(await stateOf(nodeId)).toBe('offline');
    expect((await spine.taskRuns(runId)).get('task')).toMatchObject({ state: 'ready', lost_count: 1 });
    expect((await spine.taskRuns(runId)).get('ahead')).toMatchObject({ state: 'dispatched', lost_count: 0 });
    await replica.passes.relay.run();
    expect((await spine.taskRuns(runId)).get('ahead')).toMatchObject({ state: 'ready', lost_count: 0, tries: 0 });
  });

  it('grants every node a full lease after its own start', async () => {
    const { runId, nodeId } = await runningOn(2);
    await silence([nodeId], 1000);
    for (const at of [1000, 1005, 1050, 1059]) {
      seconds = at;
      await replica.passes.reap.run();
      await replica.passes.reap.run();
    }
    expect(await spine.taskStates(runId)).toEqual({ task: 'running' });
  });

  it('believes no silence that it finds when it was frozen itself, wherever in the pass that was', async () => {
    const { runId, nodeId } = await runningOn(2);
    await afterTheGrace();
    await silence([nodeId], 120);
    const clock = vi.spyOn(performance, 'now');
    for (const calls of [1, 2]) {
      let left = calls;
      clock.mockImplementation(() => (left-- > 0 ? seconds * 1000 : (seconds + 120) * 1000));
      await replica.passes.reap.run();
      expect(await stateOf(nodeId)).not.toBe('offline');
      seconds += 120;
      clock.mockImplementation(() => seconds * 1000);
      await silence([nodeId], 0);
      await afterTheGrace();
      await silence([nodeId], 120);
    }
    expect(await spine.taskStates(runId)).toEqual({ task: 'running' });
  });

  it('holds a mass of silent nodes for one more lease, each time it happens', async () => {
    const { runId, nodes } = await runningOn(4);
    await afterTheGrace();
    for (let time = 0; time < 2; time++) {
      await silence(nodes, 61);
      await replica.passes.reap.run();
      expect(await spine.taskStates(runId)).toEqual({ task: 'running' });
      await silence(nodes, 0);
      await afterTheGrace();
    }
    await silence(nodes, 61);
    for (let second = 0; second <= 65; second += 5) {
      await replica.passes.reap.run();
      seconds += 5;
    }
    expect(await spine.taskStates(runId)).toEqual({ task: 'ready' });
    await replica.cancel(runId);
  });

  it('loses what a crash left on an offline node', async () => {
    const { runId, nodeId } = await runningOn(1);
    await afterTheGrace();
    await spine.sql.query(`update nodes set state = 'offline' where id = $1`, [nodeId]);
    await replica.passes.reap.run();
    expect(await spine.taskStates(runId)).toEqual({ task: 'ready' });
    await replica.cancel(runId);
  });

  it('orders an attempt far beyond its timeout to stop, keeps its reservation until the end, and never stores a success', async () => {
    const { runId, nodeId, attempt } = await runningOn(1, { task: { timeoutSeconds: 5 } } as never);
    const heard: string[] = [];
    replica.bus.heard.subscribe((wake) => wake.topic === 'work' && heard.push(wake.nodeId));
    await replica.passes.reap.run();
    expect((await spine.attempt(runId, 'task')).state).toBe('running');

    await spine.sql.query(`update attempts set deadline_at = clock_timestamp() where id = $1`, [attempt.id]);
    await replica.passes.reap.run();
    expect(await spine.attempt(runId, 'task')).toMatchObject({ state: 'stopping', stop_reason: 'timed_out' });
    expect(heard).toEqual([nodeId]);
    expect(await spine.sql.query('select state from reservations where attempt_id = $1', [attempt.id])).toEqual([{ state: 'releasing' }]);
    await replica.end([{ attemptId: attempt.id }]);
    expect((await spine.attempt(runId, 'task')).state).toBe('timed_out');
    expect((await spine.run(runId)).state).toBe('failed');
  });
});
