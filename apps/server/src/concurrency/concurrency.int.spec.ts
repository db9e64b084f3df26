import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine, type WorkflowRef } from '../testing/spine.fixture.js';
import { reference, type TaskFields } from '../testing/workflow.fixture.js';
import { readAdmissionReason } from './admission-reason.js';

type Rule = { key: string; limit: number; onConflict: 'queue' | 'skip' | 'cancel-running' };

describe('keyed concurrency of a workflow', () => {
  let spine: Spine;
  let replica: Replica;
  let other: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    [replica, other] = await Promise.all([spine.replica(), spine.replica()]);
  });
  beforeEach(async () => {
    pool = await spine.addPool();
    await spine.addNode(pool.id);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  const two: Record<string, TaskFields> = { a: {}, b: { needs: ['a'] } };
  async function workflowWith(rule: Partial<Rule> = {}, tasks = two): Promise<WorkflowRef> {
    const workflow = await spine.addWorkflow(pool.name, tasks);
    const concurrency = { key: `day-${reference('run.workflow')}`, limit: 1, onConflict: 'queue', ...rule };
    await spine.sql.query(
      `update workflow_versions set spec = spec || jsonb_build_object('concurrency', $2::jsonb) where workflow_id = $1`,
      [workflow.id, JSON.stringify(concurrency)],
    );
    return workflow;
  }
  const start = (workflow: WorkflowRef, by = replica) => by.startRun(workflow, spine.projectId);
  const state = async (runId: string) => (await spine.run(runId)).state;
  const admitted = async (runId: string) => {
    const [row] = await spine.sql.query<{ admitted: boolean }>(
      'select admitted_at is not null as admitted from run_admissions where run_id = $1',
      [runId],
    );
    return row!.admitted;
  };
  /** Runs both tasks to their end. */
  async function finish(runId: string, by = replica): Promise<void> {
    for (const key of ['a', 'b']) {
      const running = await by.runReady(runId);
      await by.end([{ attemptId: running.get(key)!.id }]);
    }
    expect(await state(runId)).toBe('succeeded');
  }

  it('lets as many runs of a key begin as its limit says; the others queue in order and start when one has ended, on any server', async () => {
    const workflow = await workflowWith({ limit: 2 });
    const runs = [await start(workflow), await start(workflow, other), await start(workflow), await start(workflow, other)];
    await other.passes.admit.run();
    expect(await Promise.all(runs.map(admitted))).toEqual([true, true, false, false]);
    expect(await spine.taskStates(runs[2]!)).toEqual({ a: 'waiting', b: 'waiting' });
    expect(await readAdmissionReason(spine.sql, runs[3]!)).toMatchObject({
      code: 'run-queued',
      text: `the key "day-${await nameOf(workflow)}" allows 2 runs at a time: 2 of 2, held by run ${runs[0]!.slice(-8)}, run ${runs[1]!.slice(-8)}; 1 waits before it`,
    });
    await finish(runs[1]!);
    await other.passes.admit.run();
    expect(await Promise.all(runs.map(admitted))).toEqual([true, true, true, false]);
    await finish(runs[0]!, other);
    await replica.passes.admit.run();
    for (const runId of runs.slice(2)) await finish(runId);
  });

  async function nameOf({ id }: WorkflowRef): Promise<string> {
    const [row] = await spine.sql.query<{ name: string }>('select name from workflows where id = $1', [id]);
    return row!.name;
  }

  it('wakes the pass with the end of a run, and the waiting one goes on without anything else', async () => {
    const workflow = await workflowWith();
    const [first, second] = [await start(workflow), await start(workflow)];
    const woken: string[] = [];
    const heard = replica.bus.heard.subscribe(({ topic }) => woken.push(topic));
    await finish(first);
    heard.unsubscribe();
    expect(woken).toContain('admit');
    await replica.passes.admit.run();
    expect((await spine.taskStates(second)).a).toBe('ready');
    await finish(second);
  });

  it('holds when two servers start runs of one key at the same moment', async () => {
    const workflow = await workflowWith();
    const runs = await Promise.all(Array.from({ length: 8 }, (_, index) => start(workflow, index % 2 ? other : replica)));
    await Promise.all([replica.passes.admit.run(), other.passes.admit.run()]);
    expect((await Promise.all(runs.map(admitted))).filter(Boolean)).toHaveLength(1);
    for (const runId of runs) await replica.cancel(runId);
  });

  it('skip ends the new run at once as cancelled, with the reason, and touches the other not', async () => {
    const workflow = await workflowWith({ onConflict: 'skip' });
    const [first, second] = [await start(workflow), await start(workflow)];
    expect([await state(first), await state(second)]).toEqual(['queued', 'cancelled']);
    expect(await spine.taskStates(second)).toEqual({ a: 'cancelled', b: 'cancelled' });
    expect(await readAdmissionReason(spine.sql, second)).toMatchObject({ code: 'run-skipped' });
    await finish(first);
  });

  it('cancel-running stops what runs and what waits, and starts once the processes are gone', async () => {
    const workflow = await workflowWith({ onConflict: 'cancel-running' });
    const first = await start(workflow);
    const running = await replica.runReady(first);
    const [second, third] = [await start(workflow), await start(workflow, other)];
    await other.passes.admit.run();
    expect([await state(first), await state(second), await admitted(third)]).toEqual(['cancelling', 'cancelled', false]);
    await replica.end([{ attemptId: running.get('a')!.id, outcome: 'cancelled' }]);
    expect(await state(first)).toBe('cancelled');
    await other.passes.admit.run();
    expect(await admitted(third)).toBe(true);
    await finish(third);
  });

  it('a queued run that is cancelled never starts, and lets those behind it pass', async () => {
    const workflow = await workflowWith();
    const [first, second, third] = [await start(workflow), await start(workflow), await start(workflow)];
    await replica.cancel(second);
    expect(await state(second)).toBe('cancelled');
    await finish(first);
    await other.passes.admit.run();
    expect([await admitted(second), await admitted(third)]).toEqual([false, true]);
    await finish(third);
  });

  it('a run that waits has nothing marked, and a cancel ends it whole: nothing of it starts beside the holder', async () => {
    const finals = { a: {}, b: { needs: ['a'] }, tidy: { isFinal: true } };
    const workflow = await workflowWith({}, finals);
    const [holder, marked, cancelled] = [await start(workflow), await start(workflow), await start(workflow)];
    const waiting = { a: 'waiting', b: 'waiting', tidy: 'waiting' };
    for (const key of ['a', 'b', 'tidy']) {
      const { id } = (await spine.taskRuns(marked)).get(key)!;
      expect(await replica.mark(id, 'succeeded')).toMatchObject({ stopping: [], settled: { ended: [] } });
    }
    expect(await spine.taskStates(marked)).toEqual(waiting);
    await replica.cancel(cancelled);
    await replica.place();
    expect(await spine.taskStates(cancelled)).toEqual({ a: 'cancelled', b: 'cancelled', tidy: 'cancelled' });
    expect([await state(cancelled), (await spine.attempts(marked)).length]).toEqual(['cancelled', 0]);
    for (const runId of [marked, holder]) await replica.cancel(runId, true);
  });

  it('deadlines of a run that waited count from its admission, and end what is late', async () => {
    const workflow = await workflowWith({}, { a: { deadlineSeconds: 0.001 }, b: { needs: ['a'], deadlineSeconds: 1000 } });
    const [first, second] = [await start(workflow), await start(workflow)];
    const deadlines = async (runId: string) =>
      spine.sql.query('select task_key, deadline_at is not null as due from task_runs where run_id = $1 order by position', [runId]);
    // A millisecond may not be over when the pass looks.
    const untilEnded = (runId: string) =>
      vi.waitFor(async () => {
        await replica.passes.deadline.run();
        expect((await spine.taskRuns(runId)).get('a')).toMatchObject({ state: 'failed', reason: { code: 'deadline' } });
      });
    await untilEnded(first);
    expect(await state(first)).toBe('failed');
    const none = { due: false };
    expect(await deadlines(second)).toMatchObject([none, none]);
    await replica.passes.admit.run();
    expect(await deadlines(second)).toMatchObject([{ due: true }, none]);
    await untilEnded(second);
  });

  it('a server that dies before it admits leaves the run to the next one; the reconcile pass takes a waiting run for no standing one', async () => {
    const workflow = await workflowWith();
    const [first, second] = [await start(workflow), await start(workflow)];
    await spine.sql.query(`update runs set created_at = created_at - interval '1 minute' where id = $1`, [second]);
    await replica.passes.reconcile.run();
    expect((await spine.taskStates(second)).a).toBe('waiting');
    await finish(first);
    await spine.damage('update run_admissions set ended_at = null where run_id = $1', [first]);
    await other.passes.reconcile.run();
    await other.passes.admit.run();
    expect(await admitted(second)).toBe(true);
    await finish(second);
  });
});
