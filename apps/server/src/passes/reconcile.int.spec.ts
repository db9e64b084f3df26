import { uuidv7 } from '@medley/database';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';

describe('the reconcile pass', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    pool = await spine.addPool();
    await spine.addNode(pool.id);
    await spine.addNode(pool.id);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  async function running(tasks: Record<string, TaskFields>) {
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    return { runId, attempts: await replica.runReady(runId) };
  }

  const age = (runId: string) => spine.sql.query(`update runs set created_at = created_at - interval '1 minute' where id = $1`, [runId]);

  it('advances a run whose tasks ended without their children being told', async () => {
    const { runId, attempts } = await running({ a: {}, b: {}, join: { needs: ['a', 'b'] }, bad: {}, behind: { needs: ['bad'] } });
    await replica.end([...attempts.values()].map(({ id }) => ({ attemptId: id })));
    await spine.damage(`update task_runs set state = 'waiting', ready_at = null where run_id = $1 and task_key in ('join', 'behind')`, [
      runId,
    ]);
    await spine.damage(`update task_runs set state = 'failed' where run_id = $1 and task_key = 'bad'`, [runId]);
    await spine.sql.query('update runs set open_tasks = 5 where id = $1', [runId]);
    await age(runId);
    const fresh = await spine.replica(); // remembers nothing of the run
    await fresh.passes.reconcile.run();

    expect(await spine.taskStates(runId)).toEqual({ a: 'succeeded', b: 'succeeded', join: 'ready', bad: 'failed', behind: 'skipped' });
    expect((await spine.run(runId)).open_tasks).toBe(1);
    const join = (await replica.runReady(runId)).get('join')!;
    await replica.end([{ attemptId: join.id }]);
    expect((await spine.run(runId)).state).toBe('failed');
  });

  it('ends a run whose last task ended unnoticed', async () => {
    const { runId, attempts } = await running({ task: {} });
    await replica.end([{ attemptId: attempts.get('task')!.id }]);
    await spine.damage(`update runs set state = 'running', finished_at = null, open_tasks = 1 where id = $1`, [runId]);
    await age(runId);
    await replica.passes.reconcile.run();
    expect(await spine.run(runId)).toMatchObject({ state: 'succeeded', open_tasks: 0 });
  });

  it('leaves a run alone in which something can still move by itself', async () => {
    const { runId } = await running({ task: {}, child: { needs: ['task'] } });
    await age(runId);
    await replica.passes.reconcile.run();
    expect(await spine.taskStates(runId)).toEqual({ task: 'running', child: 'waiting' });
  });

  it('releases what an ended attempt still holds', async () => {
    const { attempts } = await running({ task: { cpuMillis: 500 } });
    const { id, node_id } = attempts.get('task')!;
    await replica.end([{ attemptId: id }]);
    await spine.damage(`update reservations set state = 'held', released_at = null where attempt_id = $1`, [id]);
    await spine.sql.query('update node_usage set cpu_millis = cpu_millis + 500, attempts = attempts + 1 where node_id = $1', [node_id]);
    await replica.passes.reconcile.run();
    expect(await spine.sql.query('select state from reservations where attempt_id = $1', [id])).toEqual([{ state: 'released' }]);
  });

  it('recounts counters that differ from the reservations', async () => {
    const { runId } = await running({ task: { cpuMillis: 700 } });
    await spine.sql.query('update node_usage set cpu_millis = 123456, attempts = -4');
    await replica.passes.reconcile.run();
    await expectInvariants(spine);
    await replica.cancel(runId);
  });

  it('counts right while placements and endings go on', async () => {
    const other = await spine.replica();
    const tasks = Object.fromEntries(Array.from({ length: 40 }, () => [uuidv7(), { cpuMillis: 10 }]));
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    let done = false;
    const reconciling = (async () => {
      while (!done) await other.passes.reconcile.run();
    })();
    await replica.place();
    for (const attempt of (await replica.claimAll(runId)).values()) await replica.end([{ attemptId: attempt.id }]);
    done = true;
    await reconciling;
    await expectInvariants(spine);
    expect((await spine.run(runId)).state).toBe('succeeded');
  });
});
