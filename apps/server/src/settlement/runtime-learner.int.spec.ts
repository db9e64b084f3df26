import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine, type WorkflowRef } from '../testing/spine.fixture.js';

describe('learned runtimes', () => {
  let spine: Spine;
  let slow: string;
  let fast: string;
  let unmeasured: string;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    const pool = await spine.addPool();
    slow = await spine.addNode(pool.id, { declaredSpeed: 0.5 });
    fast = await spine.addNode(pool.id, { declaredSpeed: 4 });
    unmeasured = await spine.addNode(pool.id, { declaredSpeed: null });
  });
  afterAll(() => spine.close());

  const newWorkflow = async () => spine.addWorkflow('any', { task: {} });
  const learned = async ({ id }: WorkflowRef) =>
    (
      await spine.sql.query<{ seconds: number; observations: number }>(
        `select exp(mean_log_seconds) as seconds, observations from runtime_estimates where workflow_id = $1 and task_key = 'task'`,
        [id],
      )
    )[0];
  const runtime = ({ id }: WorkflowRef, nodeId: string, runSeconds: number) => ({ workflowId: id, taskKey: 'task', nodeId, runSeconds });

  async function learn(replica: Replica, ...runtimes: Parameters<Replica['learner']['learn']>[0]): Promise<void> {
    replica.learner.learn(runtimes);
    await replica.learner.onApplicationShutdown(); // writes what is pending
  }

  it('are those of a node of speed 1, wherever the task ran', async () => {
    const replica = await spine.replica();
    const workflow = await newWorkflow();
    await learn(replica, runtime(workflow, slow, 20), runtime(workflow, fast, 2.5), runtime(workflow, unmeasured, 10));
    expect((await learned(workflow))!.seconds).toBeCloseTo(10);
    expect((await learned(workflow))!.observations).toBe(3);
  });

  it('follow a change: the newest counts at least a tenth', async () => {
    const replica = await spine.replica();
    const workflow = await newWorkflow();
    await learn(replica, ...Array.from({ length: 100 }, () => runtime(workflow, unmeasured, 1)));
    await learn(replica, runtime(workflow, unmeasured, 1000));
    expect((await learned(workflow))!.seconds).toBeCloseTo(1000 ** 0.1);
  });

  it('are counted from all servers, and spoilt by no absurd one', async () => {
    const [first, second] = [await spine.replica(), await spine.replica()];
    const [one, other] = [await newWorkflow(), await newWorkflow()];
    await Promise.all([
      learn(first, runtime(one, unmeasured, 5), runtime(other, unmeasured, 5)),
      learn(second, runtime(other, unmeasured, 5), runtime(one, fast, 1.7e308), runtime(one, unmeasured, 0)),
    ]);
    expect((await learned(other))!).toMatchObject({ observations: 2 });
    expect((await learned(one))!.observations).toBe(3);
  });
});
