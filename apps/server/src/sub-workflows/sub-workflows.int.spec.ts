import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine, type WorkflowRef } from '../testing/spine.fixture.js';
import { reference, type TaskFields } from '../testing/workflow.fixture.js';
import { someChildAsks } from './steer-children.js';

const nothing = { mode: 'all' as const, conditions: {} };

describe('a sub-workflow', () => {
  let spine: Spine;
  let replica: Replica;
  let other: Replica;
  let pool: { id: string; name: string };
  let names = 0;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    [replica, other] = [await spine.replica(), await spine.replica()];
    pool = await spine.addPool();
    await spine.addNode(pool.id);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  const called = (workflow: string, parameters: Record<string, string | number> = {}, version: number | null = null): TaskFields => ({
    kind: 'workflow',
    script: null,
    subWorkflow: { workflow, version, parameters },
  });
  const name = (kind: string) => `${kind}-${++names}`;
  const add = (tasks: Record<string, TaskFields>, fields: Parameters<Spine['addWorkflow']>[2] = {}) =>
    spine.addWorkflow(pool.name, tasks, fields);

  /** A workflow with its name, and one that runs it. */
  async function nested(
    child: Record<string, TaskFields>,
    task: (name: string) => TaskFields = called,
    more: Record<string, TaskFields> = {},
  ) {
    const inner = name('inner');
    await add(child, { name: inner });
    const outer = await add({ sub: task(inner), ...more });
    return { inner, outer, runId: await start(outer) };
  }
  async function start(workflow: WorkflowRef): Promise<string> {
    const runId = await replica.startRun(workflow, spine.projectId);
    await decide();
    return runId;
  }
  /** Both servers look at once, until nothing follows any more. */
  async function decide(): Promise<void> {
    for (let round = 0; round < 30; round++) {
      const answers = await Promise.all([replica.passes.unplaced.run(), other.passes.unplaced.run()]);
      await replica.passes.retry.run();
      const [due] = await spine.sql.query(
        `select 1 where exists (select 1 from task_runs where pool_id is null and state = 'ready') or ${someChildAsks}`,
      );
      if (!due && !answers.some(({ again }) => again)) return;
    }
    throw new Error('the passes do not come to an end');
  }
  const childrenOf = (runId: string) =>
    spine.sql.query<{ id: string; state: string; workflow_version: number; parameters: object; rerun_of: string | null; trigger: string }>(
      'select * from runs where parent_run_id = $1 order by id',
      [runId],
    );
  const childOf = async (runId: string) => (await childrenOf(runId)).at(-1)!.id;
  const task = async (runId: string, key = 'sub') => (await spine.taskRuns(runId)).get(key)!;
  const state = async (runId: string) => (await spine.run(runId)).state;
  async function end(runId: string, key: string, outcome: 'succeeded' | 'failed' | 'cancelled' = 'succeeded', outputs = {}) {
    const attempt = (await replica.runReady(runId)).get(key)!;
    await replica.end([{ attemptId: attempt.id, outcome, outputs }]);
    await decide();
  }

  describe('starts a run', () => {
    it('exactly once, however many servers look, which waits for no slot and ends the task as it ends', async () => {
      const { runId } = await nested({ load: {} }, called, { after: { needs: ['sub'] } });
      const children = await childrenOf(runId);
      expect(children).toMatchObject([{ trigger: 'parent', state: 'queued' }]);
      expect(await spine.taskStates(runId)).toEqual({ sub: 'running', after: 'waiting' });
      expect(await spine.attempts(runId)).toEqual([]);
      await end(children[0]!.id, 'load');
      expect(await spine.taskStates(runId)).toEqual({ sub: 'succeeded', after: 'ready' });
      await end(runId, 'after');
      expect(await state(runId)).toBe('succeeded');
    });

    it('in the version that was the latest when the outermost run was created, however deep', async () => {
      const [low, mid] = [name('low'), name('mid')];
      await add({ first: {} }, { name: low });
      await add({ deeper: { ...called(low), needs: ['wait'] }, wait: {} }, { name: mid });
      const runId = await start(await add({ wait: {}, sub: { ...called(mid), needs: ['wait'] } }));
      await add({ second: {} }, { name: low });
      await add({ other: {} }, { name: mid });
      await end(runId, 'wait');
      const middle = await childOf(runId);
      expect(Object.keys(await spine.taskStates(middle))).toEqual(['deeper', 'wait']);
      await end(middle, 'wait');
      const lowest = await childOf(middle);
      expect(Object.keys(await spine.taskStates(lowest))).toEqual(['first']);
      await end(lowest, 'first');
      expect(await state(runId)).toBe('succeeded');
      const later = await start(await add({ sub: called(mid) }));
      expect(Object.keys(await spine.taskStates(await childOf(later)))).toEqual(['other']);
      await end(await childOf(later), 'other');
    });

    it('in the version that it names', async () => {
      const inner = name('inner');
      await add({ first: {} }, { name: inner });
      await add({ second: {} }, { name: inner });
      const runId = await start(await add({ sub: called(inner, {}, 1) }));
      expect(await childrenOf(runId)).toMatchObject([{ workflow_version: 1 }]);
      await end(await childOf(runId), 'first');
    });

    it('with its values, and fails with what is wrong where they do not fit', async () => {
      const inner = name('inner');
      const parameters = { day: { type: 'date' as const }, part: { type: 'integer' as const, default: 7 } };
      await add({ load: {} }, { name: inner, parameters });
      const given = (day: string) => add({ count: {}, sub: { ...called(inner, { day }), needs: ['count'] } });
      const runId = await start(await given(reference('tasks.count.outputs.day')));
      await end(runId, 'count', 'succeeded', { day: '2026-02-03' });
      expect(await childrenOf(runId)).toMatchObject([{ parameters: { day: '2026-02-03', part: 7 } }]);
      await end(await childOf(runId), 'load');
      const wrong = await start(await given('tomorrow'));
      await end(wrong, 'count');
      expect(await childrenOf(wrong)).toEqual([]);
      expect(await task(wrong, 'sub')).toMatchObject({
        state: 'failed',
        reason: { code: 'parameter-invalid', text: expect.stringContaining('tomorrow') },
      });
      expect(await state(wrong)).toBe('failed');
    });

    it('once per item where it is mapped', async () => {
      const inner = name('inner');
      await add({ load: {} }, { name: inner, parameters: { region: { type: 'string' } } });
      const map = { over: ['north', 'east', 'west'], as: 'region', parallel: 2, onFailure: 'finish' as const };
      const runId = await start(await add({ sub: { ...called(inner, { region: reference('map.region') }), map } }));
      expect((await childrenOf(runId)).map(({ parameters }) => parameters)).toEqual([{ region: 'north' }, { region: 'east' }]);
      for (const { id } of await childrenOf(runId)) await end(id, 'load');
      await end(await childOf(runId), 'load', 'failed');
      expect(await childrenOf(runId)).toHaveLength(3);
      expect(await task(runId)).toMatchObject({ state: 'failed', reason: { code: 'items-failed' } });
      expect(await state(runId)).toBe('failed');
    });

    it('whose tasks have the priority of its task beside their own', async () => {
      const { runId } = await nested({ low: { priority: -3 }, high: { priority: 999 } }, (inner) => ({ ...called(inner), priority: 5 }));
      const rows = await spine.sql.query<{ priority: number }>('select priority from task_runs where run_id = $1 order by position', [
        await childOf(runId),
      ]);
      expect(rows.map(({ priority }) => priority)).toEqual([2, 1000]);
      await replica.cancel(await childOf(runId));
      await decide();
    });

    it('that waits for its key as any other does, and ends with its task where it is skipped for it', async () => {
      const [queued, skipped] = [name('queued'), name('skipped')];
      await add({ load: {} }, { name: queued, concurrency: { key: 'one', limit: 1, onConflict: 'queue' } });
      await add({ load: {} }, { name: skipped, concurrency: { key: 'one', limit: 1, onConflict: 'skip' } });
      const runId = await start(await add({ a: called(queued), b: called(queued), c: called(skipped), d: called(skipped) }));
      const [first, second, third] = await childrenOf(runId);
      expect(await spine.taskStates(second!.id)).toEqual({ load: 'waiting' });
      expect(await task(runId, 'd')).toMatchObject({ state: 'cancelled', reason: { code: 'child-cancelled', values: { key: 'one' } } });
      await end(first!.id, 'load');
      await replica.passes.admit.run();
      await end(second!.id, 'load');
      await end(third!.id, 'load');
      expect(await spine.taskStates(runId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded', d: 'cancelled' });
    });
  });

  it('nest deeper than the slots ends', async () => {
    const narrow = await spine.addPool();
    await spine.addNode(narrow.id, { maxAttempts: 2 });
    const work: TaskFields = { pool: narrow.name };
    let inner = name('leaf');
    await add({ work, beside: work, third: work }, { name: inner });
    for (let depth = 0; depth < 6; depth++) {
      const outer = name('level');
      await add({ sub: called(inner), sister: called(inner), work }, { name: outer });
      inner = outer;
    }
    const runId = await start(await add({ sub: called(inner) }));
    for (let round = 0; (await state(runId)) !== 'succeeded'; round++) {
      expect(round).toBeLessThan(2000);
      await decide();
      await replica.place();
      const live = await spine.sql.query<{ id: string; run_id: string }>(`select id, run_id from attempts where state = 'dispatched'`);
      expect(live.length).toBeLessThanOrEqual(2);
      for (const { run_id } of live) await replica.claimAll(run_id);
      await replica.end(live.map(({ id }) => ({ attemptId: id })));
    }
    const nest = `with recursive down (id) as (select $1::uuid union all select c.id from down d join runs c on c.parent_run_id = d.id)
      select count(*)::int as count from down join runs using (id) where state = 'succeeded'`;
    expect(await spine.sql.query(nest, [runId])).toEqual([{ count: 128 }]);
  });

  describe('ends', () => {
    it('as failed with the tasks that failed, and those behind it do not start', async () => {
      const { runId, inner } = await nested({ load: {}, check: {} }, called, { after: { needs: ['sub'] } });
      const child = await childOf(runId);
      await end(child, 'load', 'failed');
      await end(child, 'check');
      expect(await spine.taskStates(runId)).toEqual({ sub: 'failed', after: 'skipped' });
      const reason = { code: 'child-failed', values: { runId: child, workflow: inner, failed: ['load'], more: 0 } };
      expect(await task(runId)).toMatchObject({ reason, tries: 1 });
    });

    it('as cancelled when its run was cancelled by itself', async () => {
      const { runId } = await nested({ load: {} });
      await replica.cancel(await childOf(runId));
      await decide();
      expect(await task(runId)).toMatchObject({ state: 'cancelled', reason: { code: 'child-cancelled' } });
      expect(await state(runId)).toBe('cancelled');
    });

    it('with the outputs that its task takes from those of its tasks', async () => {
      const outputs = { rows: 'tasks.load.outputs.rows * 2', how: 'tasks.load.state' };
      const { runId } = await nested({ load: {} }, (inner) => ({ ...called(inner), outputs }), {
        after: { needs: ['sub'], env: { ROWS: reference('tasks.sub.outputs.rows'), HOW: reference('tasks.sub.outputs.how') } },
      });
      await end(await childOf(runId), 'load', 'succeeded', { rows: 21 });
      await replica.place();
      const granted = await replica.claim(await spine.attempt(runId, 'after'));
      expect(granted.granted && granted.work.env).toEqual({ ROWS: '42', HOW: 'succeeded' });
      await end(runId, 'after');
    });

    it('as failed where such an output has no value', async () => {
      const { runId } = await nested({ load: {} }, (inner) => ({ ...called(inner), outputs: { rows: 'tasks.load.outputs.rows' } }));
      await end(await childOf(runId), 'load');
      expect(await task(runId)).toMatchObject({ state: 'failed', reason: { code: 'reference-invalid' } });
    });

    it('by a new run when it is retried', async () => {
      const retry = { attempts: 2, delaySeconds: 0, backoff: 'fixed' as const, maxDelaySeconds: 1 };
      const { runId } = await nested({ load: {} }, (inner) => ({ ...called(inner), retry }));
      await end(await childOf(runId), 'load', 'failed');
      await decide();
      expect(await childrenOf(runId)).toMatchObject([{ state: 'failed' }, { state: 'queued', rerun_of: null }]);
      await end(await childOf(runId), 'load', 'failed');
      expect(await childrenOf(runId)).toHaveLength(2);
      expect(await task(runId)).toMatchObject({ state: 'failed', tries: 2 });
    });
  });

  describe('follows its parent', () => {
    it('when that is cancelled: what runs is stopped, finals run, and all of them end as cancelled', async () => {
      const child = { load: {}, tidy: { isFinal: true, needs: nothing } };
      const { runId } = await nested(child, called, { last: { isFinal: true, needs: nothing } });
      const inner = await childOf(runId);
      const running = (await replica.runReady(inner)).get('load')!;
      await replica.cancel(runId);
      await decide();
      expect([await state(runId), await state(inner)]).toEqual(['cancelling', 'cancelling']);
      await replica.end([{ attemptId: running.id, outcome: 'cancelled' }]);
      await end(inner, 'tidy');
      expect(await state(inner)).toBe('cancelled');
      expect(await spine.taskStates(runId)).toEqual({ sub: 'cancelled', last: 'ready' });
      await end(runId, 'last');
      expect(await state(runId)).toBe('cancelled');
    });

    it('with its finals where those of the parent are cancelled too, also later', async () => {
      const { runId } = await nested({ load: {}, tidy: { isFinal: true, needs: nothing } });
      const inner = await childOf(runId);
      const running = (await replica.runReady(inner)).get('load')!;
      await replica.cancel(runId);
      await decide();
      await replica.cancel(runId, true);
      await decide();
      await replica.end([{ attemptId: running.id, outcome: 'cancelled' }]);
      await decide();
      expect(await spine.taskStates(inner)).toEqual({ load: 'cancelled', tidy: 'cancelled' });
      expect([await state(runId), await state(inner)]).toEqual(['cancelled', 'cancelled']);
    });

    it('but goes on as a final task of a parent that is cancelled', async () => {
      const inner = name('inner');
      await add({ load: {} }, { name: inner });
      const runId = await start(await add({ work: {}, sub: { ...called(inner), isFinal: true, needs: nothing } }));
      await replica.cancel(runId);
      await decide();
      expect(await task(runId)).toMatchObject({ state: 'running' });
      await end(await childOf(runId), 'load');
      expect(await spine.taskStates(runId)).toEqual({ work: 'cancelled', sub: 'succeeded' });
      expect(await state(runId)).toBe('cancelled');
    });

    it('down through all levels, whoever of the servers looks', async () => {
      const [low, mid] = [name('low'), name('mid')];
      await add({ load: {} }, { name: low });
      await add({ deeper: called(low) }, { name: mid });
      const runId = await start(await add({ sub: called(mid) }));
      const middle = await childOf(runId);
      const lowest = await childOf(middle);
      await replica.pause(runId);
      await decide();
      expect(await Promise.all([runId, middle, lowest].map(state))).toEqual(['paused', 'paused', 'paused']);
      await replica.resume(runId);
      await decide();
      expect((await Promise.all([runId, middle, lowest].map(state))).includes('paused')).toBe(false);
      await replica.cancel(runId);
      await decide();
      expect(await Promise.all([runId, middle, lowest].map(state))).toEqual(['cancelled', 'cancelled', 'cancelled']);
    });

    it('but stays paused where someone paused it alone', async () => {
      const { runId } = await nested({ load: {} });
      const inner = await childOf(runId);
      await replica.pause(inner);
      await replica.pause(runId);
      await decide();
      await replica.resume(runId);
      await decide();
      expect(await state(inner)).toBe('paused');
      await replica.resume(inner);
      await end(inner, 'load');
      expect(await state(runId)).toBe('succeeded');
    });

    it('but stays paused where someone paused it after its parent was', async () => {
      const { runId } = await nested({ load: {} });
      const inner = await childOf(runId);
      await replica.pause(runId);
      await decide();
      await replica.pause(inner);
      await replica.resume(runId);
      await decide();
      expect(await state(inner)).toBe('paused');
      await replica.resume(inner);
      await end(inner, 'load');
      expect(await state(runId)).toBe('succeeded');
    });

    it('also where another one cannot, which is tried again soon', async () => {
      const [stuck, free] = [await nested({ load: {} }), await nested({ load: {} })];
      const [stuckInner, freeInner] = [await childOf(stuck.runId), await childOf(free.runId)];
      await spine.sql.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'in the way'; end $$`);
      await spine.sql.query(
        `create trigger refuse before update on runs for each row when (old.id = '${stuckInner}') execute function refuse()`,
      );
      await replica.cancel(stuck.runId);
      await replica.cancel(free.runId);
      const fresh = await replica.startRun(await add({ sub: called(free.inner) }), spine.projectId);
      expect((await replica.passes.unplaced.run()).wakeInMs).toBeGreaterThan(0);
      expect(await state(freeInner)).toBe('cancelled');
      expect(await task(fresh)).toMatchObject({ state: 'running' });
      await spine.sql.query('drop function refuse cascade');
      await decide();
      expect(await state(stuckInner)).toBe('cancelled');
      await end(await childOf(fresh), 'load');
    });

    it('when its task is marked: it is cancelled, and then the task ends as marked', async () => {
      const { runId } = await nested({ load: {} }, called, { after: { needs: ['sub'] } });
      const inner = await childOf(runId);
      const running = (await replica.runReady(inner)).get('load')!;
      const { awaiting } = await replica.mark(await taskId(runId), 'succeeded');
      expect(awaiting).toHaveLength(1);
      await decide();
      expect(await task(runId)).toMatchObject({ state: 'running' });
      await replica.end([{ attemptId: running.id, outcome: 'cancelled' }]);
      await decide();
      expect(await state(inner)).toBe('cancelled');
      expect(await spine.taskStates(runId)).toEqual({ sub: 'succeeded', after: 'ready' });
      await end(runId, 'after');
    });

    it('when its deadline is over', async () => {
      const { runId } = await nested({ load: {} }, (inner) => ({ ...called(inner), deadlineSeconds: 3600, onDeadline: 'skip' }));
      await spine.sql.query(`update task_runs set deadline_at = clock_timestamp() where run_id = $1`, [runId]);
      await replica.passes.deadline.run();
      await decide();
      expect(await task(runId)).toMatchObject({ state: 'skipped', reason: { code: 'deadline' } });
      expect(await state(await childOf(runId))).toBe('cancelled');
    });
  });

  describe('is run again with its parent', () => {
    it('from what failed in it, in a rerun of what failed', async () => {
      const { runId, inner } = await nested({ load: {}, check: { needs: ['load'] } });
      await end(await childOf(runId), 'load', 'succeeded', { rows: 3 });
      await end(await childOf(runId), 'check', 'failed');
      await add({ quite: {}, different: {} }, { name: inner });
      const again = await replica.rerun(runId, { mode: 'failed' });
      await decide();
      const child = await childOf(again);
      expect(await childrenOf(again)).toMatchObject([{ rerun_of: await childOf(runId), workflow_version: 1 }]);
      expect(await spine.taskStates(child)).toEqual({ load: 'succeeded', check: 'ready' });
      await end(child, 'check');
      expect(await state(again)).toBe('succeeded');
    });

    it('anew where its values are others, or all of the parent is run again', async () => {
      const inner = name('inner');
      await add({ load: {}, check: { needs: ['load'] } }, { name: inner, parameters: { day: { type: 'string' } } });
      const outer = await add(
        { sub: called(inner, { day: reference('parameters.day') }) },
        { parameters: { day: { type: 'string', default: 'a' } } },
      );
      const runId = await start(outer);
      await end(await childOf(runId), 'load');
      await end(await childOf(runId), 'check', 'failed');
      for (const wish of [{ mode: 'failed' as const, parameters: { day: 'b' } }, { mode: 'all' as const }]) {
        const again = await replica.rerun(runId, wish);
        await decide();
        expect(await spine.taskStates(await childOf(again))).toEqual({ load: 'ready', check: 'waiting' });
        await replica.cancel(again);
        await decide();
      }
    });

    it('anew where something before it runs again, of which it may have taken more than its values', async () => {
      const inner = name('inner');
      await add({ load: {}, check: { needs: ['load'] } }, { name: inner });
      const runId = await start(await add({ before: {}, sub: { ...called(inner), needs: { before: 'done' } } }));
      await end(runId, 'before', 'failed');
      await end(await childOf(runId), 'load');
      await end(await childOf(runId), 'check', 'failed');
      const again = await replica.rerun(runId, { mode: 'failed' });
      await end(again, 'before');
      expect(await spine.taskStates(await childOf(again))).toEqual({ load: 'ready', check: 'waiting' });
      await replica.cancel(again);
      await decide();
    });

    it('and never alone', async () => {
      const { runId } = await nested({ load: {} });
      await end(await childOf(runId), 'load', 'failed');
      await expect(replica.rerun(await childOf(runId), { mode: 'all' })).rejects.toMatchObject({ code: 'run-not-rerunnable' });
    });

    it('not at all where it is kept, and shows the run that it had', async () => {
      const { runId } = await nested({ load: {} }, called, { after: { needs: ['sub'] } });
      await end(await childOf(runId), 'load');
      await end(runId, 'after', 'failed');
      const again = await replica.rerun(runId, { mode: 'failed' });
      await decide();
      expect(await task(again)).toMatchObject({ state: 'succeeded', child_run_id: await childOf(runId) });
      expect(await childrenOf(again)).toEqual([]);
      await end(again, 'after');
    });
  });

  async function taskId(runId: string): Promise<string> {
    const [row] = await spine.sql.query<{ id: string }>(`select id from task_runs where run_id = $1 and task_key = 'sub' and item = -1`, [
      runId,
    ]);
    return row!.id;
  }

  it('with an approval in it, however deep, is not kept for other parameters', async () => {
    const [low, mid] = [name('low'), name('mid')];
    await add({ approve: { kind: 'approval', script: null, approval: { by: ['role:admin'] } } }, { name: low });
    await add({ deeper: called(low) }, { name: mid });
    const fields = { parameters: { amount: { type: 'integer' as const, default: 10 } } };
    const runId = await start(await add({ sub: called(mid), pay: { needs: ['sub'] } }, fields));
    const approval = await task(await childOf(await childOf(runId)), 'approve');
    await replica.mark(approval.id, 'succeeded');
    await decide();
    await end(runId, 'pay');
    const rerun = (amount: number) => replica.rerun(runId, { mode: 'from', tasks: ['pay'], parameters: { amount } });
    await expect(rerun(10_000)).rejects.toMatchObject({ code: 'run-not-rerunnable', fields: [{ path: 'parameters.amount' }] });
    await replica.cancel(await rerun(10));
    await replica.cancel(await replica.rerun(runId, { mode: 'from', tasks: ['sub'], parameters: { amount: 10_000 } }));
  });
});
