import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';

describe('the retry pass', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    pool = await spine.addPool();
    await spine.addNode(pool.id);
  });
  afterEach(async () => {
    await expectInvariants(spine);
    for (const { id } of await spine.sql.query<{ id: string }>('select id from runs where finished_at is null')) await replica.cancel(id);
  });
  afterAll(() => spine.close());

  /** A run with a task whose first attempt has failed and waits for its next. */
  async function waiting(delaySeconds: number) {
    const retry = { attempts: 2, delaySeconds, backoff: 'fixed' as const, maxDelaySeconds: 900 };
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, { task: { retry } }), spine.projectId);
    const attempt = (await replica.runReady(runId)).get('task')!;
    await replica.end([{ attemptId: attempt.id, outcome: 'failed', exitCode: 1 }]);
    return { runId, taskRunId: attempt.task_run_id };
  }

  const makeDue = (taskRunId: string) => spine.sql.query('update task_runs set retry_at = clock_timestamp() where id = $1', [taskRunId]);

  it('makes ready what is due, once, and wakes the place pass', async () => {
    const { runId, taskRunId } = await waiting(100);
    const wakes: string[] = [];
    replica.bus.heard.subscribe(({ topic }) => wakes.push(topic));
    await replica.passes.retry.run();
    expect(await spine.taskStates(runId)).toEqual({ task: 'retry-wait' });
    expect(wakes).toEqual([]);

    await makeDue(taskRunId);
    const other = await spine.replica();
    await Promise.all([replica.passes.retry.run(), other.passes.retry.run()]);
    expect((await spine.taskRuns(runId)).get('task')).toMatchObject({ state: 'ready', retry_at: null, reason: null, tries: 1 });
  });

  it('asks to be woken when the soonest is due', async () => {
    await waiting(200);
    await waiting(50);
    const { wakeInMs } = await replica.passes.retry.run();
    expect(wakeInMs).toBeGreaterThan(45_000);
    expect(wakeInMs).toBeLessThanOrEqual(55_000);
  });

  it('leaves a cancelled task alone', async () => {
    const { runId, taskRunId } = await waiting(100);
    await makeDue(taskRunId);
    await Promise.all([replica.cancel(runId), replica.passes.retry.run()]);
    expect(await spine.taskStates(runId)).toEqual({ task: 'cancelled' });
    expect((await spine.run(runId)).state).toBe('cancelled');
  });
});
