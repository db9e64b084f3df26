import { NEVER, Subject } from 'rxjs';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';

describe('the long poll for work', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };
  let nodeId: string;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    pool = await spine.addPool();
    nodeId = await spine.addNode(pool.id);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  const startRun = async () => replica.startRun(await spine.addWorkflow(pool.name, { task: {} }), spine.projectId);

  it('answers at once with what is outstanding, and without it after the claim', async () => {
    const runId = await startRun();
    await replica.place();
    const { id, fence, task_run_id } = await spine.attempt(runId, 'task');
    const answer = await replica.work.wait(nodeId, 30, NEVER);
    expect(answer).toEqual({ dispatches: [{ attemptId: id, taskRunId: task_run_id, fence, sendNo: 1 }], stops: [] });
    await replica.claimAll(runId);
    expect(await replica.work.wait(nodeId, 0, NEVER)).toEqual({ dispatches: [], stops: [] });
    await replica.end([{ attemptId: id }]);
  });

  it('answers as soon as something is dispatched to the node', async () => {
    const waiting = replica.work.wait(nodeId, 30, NEVER);
    const runId = await startRun();
    await replica.place();
    expect((await waiting).dispatches).toHaveLength(1);
    await replica.end([{ attemptId: (await spine.attempt(runId, 'task')).id, outcome: 'lost' }]);
    await replica.cancel(runId);
  });

  it('carries a stop order as soon as it is given', async () => {
    const runId = await startRun();
    const { id, fence } = (await replica.runReady(runId)).get('task')!;
    const waiting = replica.work.wait(nodeId, 30, NEVER);
    await replica.cancel(runId);
    replica.bus.work(nodeId);
    expect(await waiting).toEqual({ dispatches: [], stops: [{ attemptId: id, fence, reason: 'cancelled' }] });
    await replica.end([{ attemptId: id }]);
  });

  it('ends when the agent has hung up', async () => {
    const gone = new Subject<void>();
    const waiting = replica.work.wait(nodeId, 30, gone);
    gone.next();
    expect(await waiting).toEqual({ dispatches: [], stops: [] });
  });

  it('leaves no listener behind, however it ended', async () => {
    const gone = new Subject<void>();
    const runId = await startRun();
    await replica.place();
    for (let poll = 0; poll < 5; poll++) await replica.work.wait(nodeId, 30, gone);
    await replica.work.wait(nodeId, 0, gone);
    expect(gone.observed).toBe(false);
    await replica.cancel(runId);
  });
});
