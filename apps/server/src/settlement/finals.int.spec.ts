import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';

describe('final tasks', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    pool = await spine.addPool();
    await spine.addNode(pool.id);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  const work: Record<string, TaskFields> = { a: {}, b: { needs: ['a'] }, other: {} };
  const finals: Record<string, TaskFields> = { tidy: { isFinal: true }, page: { isFinal: true, needs: { a: 'failed' } } };

  async function running(tasks: Record<string, TaskFields> = { ...work, ...finals }) {
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    return { runId, attempts: await replica.runReady(runId) };
  }
  const end = (attempts: Map<string, { id: string }>, key: string, outcome: 'succeeded' | 'failed' | 'cancelled' = 'succeeded') =>
    replica.end([{ attemptId: attempts.get(key)!.id, outcome }]);

  it('begin when every other task has ended, also after a failure, each by its own needs', async () => {
    const { runId, attempts } = await running();
    await end(attempts, 'a', 'failed');
    expect(await spine.taskStates(runId)).toMatchObject({ b: 'skipped', tidy: 'waiting', page: 'waiting' });
    await end(attempts, 'other');
    expect(await spine.taskStates(runId)).toMatchObject({ tidy: 'ready', page: 'ready' });

    const later = await replica.runReady(runId);
    await end(later, 'tidy');
    await end(later, 'page');
    expect((await spine.run(runId)).state).toBe('failed');
  });

  it('are skipped like others when their needs do not hold, and end the run', async () => {
    const { runId, attempts } = await running({ a: {}, page: { isFinal: true, needs: { a: 'failed' } } });
    await end(attempts, 'a');
    expect(await spine.taskStates(runId)).toEqual({ a: 'succeeded', page: 'skipped' });
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('fail the run when they fail', async () => {
    const { runId, attempts } = await running({ a: {}, tidy: { isFinal: true } });
    await end(attempts, 'a');
    await end(await replica.runReady(runId), 'tidy', 'failed');
    expect((await spine.run(runId)).state).toBe('failed');
  });

  it('run after a cancel once what ran is gone, with their retries, and the run is cancelled', async () => {
    const retry = { attempts: 2, delaySeconds: 0, backoff: 'fixed' as const, maxDelaySeconds: 0 };
    const { runId, attempts } = await running({ ...work, tidy: { isFinal: true, retry }, last: { isFinal: true, needs: ['tidy'] } });
    await replica.cancel(runId);
    expect(await spine.taskStates(runId)).toMatchObject({ b: 'cancelled', tidy: 'waiting' });
    await end(attempts, 'a', 'cancelled');
    await end(attempts, 'other', 'cancelled');
    await end(await replica.runReady(runId), 'tidy', 'failed');
    await end(await replica.runReady(runId), 'tidy');
    expect(await spine.run(runId)).toMatchObject({ state: 'cancelling', open_tasks: 1 });
    await end(await replica.runReady(runId), 'last');
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('run after a cancel that had nothing to stop', async () => {
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, { a: {}, ...finals }), spine.projectId);
    await replica.cancel(runId);
    expect(await spine.taskStates(runId)).toEqual({ a: 'cancelled', tidy: 'ready', page: 'skipped' });
    await end(await replica.runReady(runId), 'tidy');
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('are cancelled too when that is asked for, also later; cancelling twice otherwise changes nothing', async () => {
    const { runId, attempts } = await running({ a: {}, tidy: { isFinal: true } });
    await replica.cancel(runId);
    await end(attempts, 'a', 'cancelled');
    const later = await replica.runReady(runId);
    await replica.cancel(runId);
    expect((await spine.taskStates(runId)).tidy).toBe('running');
    await replica.cancel(runId, true);
    expect((await spine.attempt(runId, 'tidy')).state).toBe('stopping');
    await end(later, 'tidy', 'cancelled');
    expect((await spine.run(runId)).state).toBe('cancelled');

    const whole = await running({ a: {}, tidy: { isFinal: true } });
    await replica.cancel(whole.runId, true);
    await end(whole.attempts, 'a', 'cancelled');
    expect(await spine.taskStates(whole.runId)).toEqual({ a: 'cancelled', tidy: 'cancelled' });
  });

  it('can be marked, and are ended by their deadline, also in a run that is being cancelled', async () => {
    const soon = { isFinal: true, deadlineSeconds: 0.001, onDeadline: 'skip' } as const;
    const { runId, attempts } = await running({
      a: { deadlineSeconds: 0.001 },
      tidy: { isFinal: true },
      page: { isFinal: true },
      late: soon,
    });
    await replica.cancel(runId);
    await replica.passes.deadline.run();
    expect((await spine.taskRuns(runId)).get('a')).toMatchObject({ state: 'running', mark: null });
    const idOf = async (key: string) => (await spine.taskRuns(runId)).get(key)!.id;
    expect(await replica.mark(await idOf('a'), 'succeeded')).toMatchObject({ stopping: [], settled: { ended: [] } });
    await end(attempts, 'a', 'cancelled');

    const later = await replica.runReady(runId);
    await replica.passes.deadline.run();
    await replica.mark(await idOf('page'), 'succeeded');
    await replica.end(['page', 'late'].map((key) => ({ attemptId: later.get(key)!.id, outcome: 'cancelled' as const })));
    await end(later, 'tidy');
    expect(await spine.taskStates(runId)).toEqual({ a: 'cancelled', tidy: 'succeeded', page: 'succeeded', late: 'skipped' });
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('can no more be marked once they are cancelled too', async () => {
    const { runId, attempts } = await running({ a: {}, tidy: { isFinal: true } });
    await end(attempts, 'a');
    const later = await replica.runReady(runId);
    await replica.cancel(runId, true);
    expect(await replica.mark(later.get('tidy')!.task_run_id, 'succeeded')).toMatchObject({ stopping: [], settled: { ended: [] } });
    await end(later, 'tidy', 'cancelled');
    expect(await spine.taskStates(runId)).toEqual({ a: 'succeeded', tidy: 'cancelled' });
  });

  it('wait for all others also when one of them is marked before its time, and what is behind that one waits with them', async () => {
    const finally_: Record<string, TaskFields> = {
      first: { isFinal: true },
      second: { isFinal: true, needs: ['first'] },
      third: { isFinal: true },
    };
    const { runId, attempts } = await running({ a: {}, other: {}, ...finally_ });
    await replica.mark((await spine.taskRuns(runId)).get('first')!.id, 'succeeded');
    expect(await spine.taskStates(runId)).toMatchObject({ first: 'succeeded', second: 'waiting', third: 'waiting' });
    await end(attempts, 'a');
    expect(await spine.taskStates(runId)).toMatchObject({ other: 'running', second: 'waiting', third: 'waiting' });
    await end(attempts, 'other');
    expect(await spine.taskStates(runId)).toMatchObject({ second: 'ready', third: 'ready' });
    const later = await replica.runReady(runId);
    await end(later, 'second');
    await end(later, 'third');
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('are all marked before their time, and the run ends with its last other task', async () => {
    const { runId, attempts } = await running({ a: {}, tidy: { isFinal: true } });
    await replica.mark((await spine.taskRuns(runId)).get('tidy')!.id, 'skipped');
    expect((await spine.run(runId)).state).toBe('running');
    await end(attempts, 'a');
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('are decided by the reconcile pass where a crash left them', async () => {
    const { runId, attempts } = await running({ a: {}, tidy: { isFinal: true } });
    await end(attempts, 'a');
    await spine.damage(`update task_runs set state = 'waiting' where run_id = $1 and task_key = 'tidy'`, [runId]);
    await spine.damage(`update runs set final_tasks = 1, created_at = created_at - interval '1 minute' where id = $1`, [runId]);
    await replica.passes.reconcile.run();
    expect((await spine.taskStates(runId)).tidy).toBe('ready');
    await end(await replica.runReady(runId), 'tidy');
  });
});
