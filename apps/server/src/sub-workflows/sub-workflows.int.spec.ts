import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import { called, NestScene } from '../testing/nest.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import type { Spine } from '../testing/spine.fixture.js';
import { reference, type TaskFields } from '../testing/workflow.fixture.js';

const nothing = { mode: 'all' as const, conditions: {} };

describe('a sub-workflow', () => {
  let scene: NestScene;
  let replica: Replica;
  let spine: Spine;
  beforeAll(async () => {
    scene = await NestScene.open(inject('postgresUrl'));
    ({ spine, replica } = scene);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  describe('starts a run', () => {
    it('exactly once, however many servers look, which waits for no slot and ends the task as it ends', async () => {
      const { runId } = await scene.nested({ load: {} }, called, { after: { needs: ['sub'] } });
      const children = await scene.childrenOf(runId);
      expect(children).toMatchObject([{ trigger: 'parent', state: 'queued' }]);
      expect(await spine.taskStates(runId)).toEqual({ sub: 'running', after: 'waiting' });
      expect(await spine.attempts(runId)).toEqual([]);
      await scene.end(children[0]!.id, 'load');
      expect(await spine.taskStates(runId)).toEqual({ sub: 'succeeded', after: 'ready' });
      await scene.end(runId, 'after');
      expect(await scene.state(runId)).toBe('succeeded');
    });

    it('in the version that was the latest when the outermost run was created, however deep', async () => {
      const [low, mid] = [scene.name('low'), scene.name('mid')];
      await scene.add({ first: {} }, { name: low });
      await scene.add({ deeper: { ...called(low), needs: ['wait'] }, wait: {} }, { name: mid });
      const runId = await scene.start(await scene.add({ wait: {}, sub: { ...called(mid), needs: ['wait'] } }));
      await scene.add({ second: {} }, { name: low });
      await scene.add({ other: {} }, { name: mid });
      await scene.end(runId, 'wait');
      const middle = await scene.childOf(runId);
      expect(Object.keys(await spine.taskStates(middle))).toEqual(['deeper', 'wait']);
      await scene.end(middle, 'wait');
      const lowest = await scene.childOf(middle);
      expect(Object.keys(await spine.taskStates(lowest))).toEqual(['first']);
      await scene.end(lowest, 'first');
      expect(await scene.state(runId)).toBe('succeeded');
      const later = await scene.start(await scene.add({ sub: called(mid) }));
      expect(Object.keys(await spine.taskStates(await scene.childOf(later)))).toEqual(['other']);
      await scene.end(await scene.childOf(later), 'other');
    });

    it('in the version that it names', async () => {
      const inner = scene.name('inner');
      await scene.add({ first: {} }, { name: inner });
      await scene.add({ second: {} }, { name: inner });
      const runId = await scene.start(await scene.add({ sub: called(inner, {}, 1) }));
      expect(await scene.childrenOf(runId)).toMatchObject([{ workflow_version: 1 }]);
      await scene.end(await scene.childOf(runId), 'first');
    });

    it('with its values, and fails with what is wrong where they do not fit', async () => {
      const inner = scene.name('inner');
      const parameters = { day: { type: 'date' as const }, part: { type: 'integer' as const, default: 7 } };
      await scene.add({ load: {} }, { name: inner, parameters });
      const given = (day: string) => scene.add({ count: {}, sub: { ...called(inner, { day }), needs: ['count'] } });
      const runId = await scene.start(await given(reference('tasks.count.outputs.day')));
      await scene.end(runId, 'count', 'succeeded', { day: '2026-02-03' });
      expect(await scene.childrenOf(runId)).toMatchObject([{ parameters: { day: '2026-02-03', part: 7 } }]);
      await scene.end(await scene.childOf(runId), 'load');
      const wrong = await scene.start(await given('tomorrow'));
      await scene.end(wrong, 'count');
      expect(await scene.childrenOf(wrong)).toEqual([]);
      expect(await scene.task(wrong, 'sub')).toMatchObject({
        state: 'failed',
        reason: { code: 'parameter-invalid', text: expect.stringContaining('tomorrow') },
      });
      expect(await scene.state(wrong)).toBe('failed');
    });

    it('once per item where it is mapped', async () => {
      const inner = scene.name('inner');
      await scene.add({ load: {} }, { name: inner, parameters: { region: { type: 'string' } } });
      const map = { over: ['north', 'east', 'west'], as: 'region', parallel: 2, onFailure: 'finish' as const };
      const runId = await scene.start(await scene.add({ sub: { ...called(inner, { region: reference('map.region') }), map } }));
      expect((await scene.childrenOf(runId)).map(({ parameters }) => parameters)).toEqual([{ region: 'north' }, { region: 'east' }]);
      for (const { id } of await scene.childrenOf(runId)) await scene.end(id, 'load');
      await scene.end(await scene.childOf(runId), 'load', 'failed');
      expect(await scene.childrenOf(runId)).toHaveLength(3);
      expect(await scene.task(runId)).toMatchObject({ state: 'failed', reason: { code: 'items-failed' } });
      expect(await scene.state(runId)).toBe('failed');
    });

    it('whose tasks have the priority of its task beside their own', async () => {
      const { runId } = await scene.nested({ low: { priority: -3 }, high: { priority: 999 } }, (inner) => ({
        ...called(inner),
        priority: 5,
      }));
      const rows = await spine.sql.query<{ priority: number }>('select priority from task_runs where run_id = $1 order by position', [
        await scene.childOf(runId),
      ]);
      expect(rows.map(({ priority }) => priority)).toEqual([2, 1000]);
      await replica.cancel(await scene.childOf(runId));
      await scene.decide();
    });

    it('that waits for its key as any other does, and ends with its task where it is skipped for it', async () => {
      const [queued, skipped] = [scene.name('queued'), scene.name('skipped')];
      await scene.add({ load: {} }, { name: queued, concurrency: { key: 'one', limit: 1, onConflict: 'queue' } });
      await scene.add({ load: {} }, { name: skipped, concurrency: { key: 'one', limit: 1, onConflict: 'skip' } });
      const runId = await scene.start(await scene.add({ a: called(queued), b: called(queued), c: called(skipped), d: called(skipped) }));
      const [first, second, third] = await scene.childrenOf(runId);
      expect(await spine.taskStates(second!.id)).toEqual({ load: 'waiting' });
      expect(await scene.task(runId, 'd')).toMatchObject({
        state: 'cancelled',
        reason: { code: 'child-cancelled', values: { key: 'one' } },
      });
      await scene.end(first!.id, 'load');
      await replica.passes.admit.run();
      await scene.end(second!.id, 'load');
      await scene.end(third!.id, 'load');
      expect(await spine.taskStates(runId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded', d: 'cancelled' });
    });
  });

  it('nest deeper than the slots ends', async () => {
    const narrow = await spine.addPool();
    await spine.addNode(narrow.id, { maxAttempts: 2 });
    const work: TaskFields = { pool: narrow.name };
    let inner = scene.name('leaf');
    await scene.add({ work, beside: work, third: work }, { name: inner });
    for (let depth = 0; depth < 6; depth++) {
      const outer = scene.name('level');
      await scene.add({ sub: called(inner), sister: called(inner), work }, { name: outer });
      inner = outer;
    }
    const runId = await scene.start(await scene.add({ sub: called(inner) }));
    for (let round = 0; (await scene.state(runId)) !== 'succeeded'; round++) {
      expect(round).toBeLessThan(2000);
      await scene.decide();
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
      const { runId, inner } = await scene.nested({ load: {}, check: {} }, called, { after: { needs: ['sub'] } });
      const child = await scene.childOf(runId);
      await scene.end(child, 'load', 'failed');
      await scene.end(child, 'check');
      expect(await spine.taskStates(runId)).toEqual({ sub: 'failed', after: 'skipped' });
      const reason = { code: 'child-failed', values: { runId: child, workflow: inner, failed: ['load'], more: 0 } };
      expect(await scene.task(runId)).toMatchObject({ reason, tries: 1 });
    });

    it('as cancelled when its run was cancelled by itself', async () => {
      const { runId } = await scene.nested({ load: {} });
      await replica.cancel(await scene.childOf(runId));
      await scene.decide();
      expect(await scene.task(runId)).toMatchObject({ state: 'cancelled', reason: { code: 'child-cancelled' } });
      expect(await scene.state(runId)).toBe('cancelled');
    });

    it('with the outputs that its task takes from those of its tasks', async () => {
      const outputs = { rows: 'tasks.load.outputs.rows * 2', how: 'tasks.load.state' };
      const { runId } = await scene.nested({ load: {} }, (inner) => ({ ...called(inner), outputs }), {
        after: { needs: ['sub'], env: { ROWS: reference('tasks.sub.outputs.rows'), HOW: reference('tasks.sub.outputs.how') } },
      });
      await scene.end(await scene.childOf(runId), 'load', 'succeeded', { rows: 21 });
      await replica.place();
      const granted = await replica.claim(await spine.attempt(runId, 'after'));
      expect(granted.granted && granted.work.env).toEqual({ ROWS: '42', HOW: 'succeeded' });
      await scene.end(runId, 'after');
    });

    it('as failed where such an output has no value', async () => {
      const { runId } = await scene.nested({ load: {} }, (inner) => ({ ...called(inner), outputs: { rows: 'tasks.load.outputs.rows' } }));
      await scene.end(await scene.childOf(runId), 'load');
      expect(await scene.task(runId)).toMatchObject({ state: 'failed', reason: { code: 'reference-invalid' } });
    });

    it('by a new run when it is retried', async () => {
      const retry = { attempts: 2, delaySeconds: 0, backoff: 'fixed' as const, maxDelaySeconds: 1 };
      const { runId } = await scene.nested({ load: {} }, (inner) => ({ ...called(inner), retry }));
      await scene.end(await scene.childOf(runId), 'load', 'failed');
      await scene.decide();
      expect(await scene.childrenOf(runId)).toMatchObject([{ state: 'failed' }, { state: 'queued', rerun_of: null }]);
      await scene.end(await scene.childOf(runId), 'load', 'failed');
      expect(await scene.childrenOf(runId)).toHaveLength(2);
      expect(await scene.task(runId)).toMatchObject({ state: 'failed', tries: 2 });
    });
  });

  describe('follows its parent', () => {
    it('when that is cancelled: what runs is stopped, finals run, and all of them end as cancelled', async () => {
      const child = { load: {}, tidy: { isFinal: true, needs: nothing } };
      const { runId } = await scene.nested(child, called, { last: { isFinal: true, needs: nothing } });
      const inner = await scene.childOf(runId);
      const running = (await replica.runReady(inner)).get('load')!;
      await replica.cancel(runId);
      await scene.decide();
      expect([await scene.state(runId), await scene.state(inner)]).toEqual(['cancelling', 'cancelling']);
      await replica.end([{ attemptId: running.id, outcome: 'cancelled' }]);
      await scene.end(inner, 'tidy');
      expect(await scene.state(inner)).toBe('cancelled');
      expect(await spine.taskStates(runId)).toEqual({ sub: 'cancelled', last: 'ready' });
      await scene.end(runId, 'last');
      expect(await scene.state(runId)).toBe('cancelled');
    });

    it('with its finals where those of the parent are cancelled too, also later', async () => {
      const { runId } = await scene.nested({ load: {}, tidy: { isFinal: true, needs: nothing } });
      const inner = await scene.childOf(runId);
      const running = (await replica.runReady(inner)).get('load')!;
      await replica.cancel(runId);
      await scene.decide();
      await replica.cancel(runId, true);
      await scene.decide();
      await replica.end([{ attemptId: running.id, outcome: 'cancelled' }]);
      await scene.decide();
      expect(await spine.taskStates(inner)).toEqual({ load: 'cancelled', tidy: 'cancelled' });
      expect([await scene.state(runId), await scene.state(inner)]).toEqual(['cancelled', 'cancelled']);
    });

    it('but goes on as a final task of a parent that is cancelled', async () => {
      const inner = scene.name('inner');
      await scene.add({ load: {} }, { name: inner });
      const runId = await scene.start(await scene.add({ work: {}, sub: { ...called(inner), isFinal: true, needs: nothing } }));
      await replica.cancel(runId);
      await scene.decide();
      expect(await scene.task(runId)).toMatchObject({ state: 'running' });
      await scene.end(await scene.childOf(runId), 'load');
      expect(await spine.taskStates(runId)).toEqual({ work: 'cancelled', sub: 'succeeded' });
      expect(await scene.state(runId)).toBe('cancelled');
    });

    it('down through all levels, whoever of the servers looks', async () => {
      const [low, mid] = [scene.name('low'), scene.name('mid')];
      await scene.add({ load: {} }, { name: low });
      await scene.add({ deeper: called(low) }, { name: mid });
      const runId = await scene.start(await scene.add({ sub: called(mid) }));
      const middle = await scene.childOf(runId);
      const lowest = await scene.childOf(middle);
      await replica.pause(runId);
      await scene.decide();
      expect(await Promise.all([runId, middle, lowest].map(scene.state))).toEqual(['paused', 'paused', 'paused']);
      await replica.resume(runId);
      await scene.decide();
      expect((await Promise.all([runId, middle, lowest].map(scene.state))).includes('paused')).toBe(false);
      await replica.cancel(runId);
      await scene.decide();
      expect(await Promise.all([runId, middle, lowest].map(scene.state))).toEqual(['cancelled', 'cancelled', 'cancelled']);
    });

    it('but stays paused where someone paused it alone', async () => {
      const { runId } = await scene.nested({ load: {} });
      const inner = await scene.childOf(runId);
      await replica.pause(inner);
      await replica.pause(runId);
      await scene.decide();
      await replica.resume(runId);
      await scene.decide();
      expect(await scene.state(inner)).toBe('paused');
      await replica.resume(inner);
      await scene.end(inner, 'load');
      expect(await scene.state(runId)).toBe('succeeded');
    });

    it('but stays paused where someone paused it after its parent was', async () => {
      const { runId } = await scene.nested({ load: {} });
      const inner = await scene.childOf(runId);
      await replica.pause(runId);
      await scene.decide();
      await replica.pause(inner);
      await replica.resume(runId);
      await scene.decide();
      expect(await scene.state(inner)).toBe('paused');
      await replica.resume(inner);
      await scene.end(inner, 'load');
      expect(await scene.state(runId)).toBe('succeeded');
    });

    it('also where another one cannot, which is tried again soon', async () => {
      const [stuck, free] = [await scene.nested({ load: {} }), await scene.nested({ load: {} })];
      const [stuckInner, freeInner] = [await scene.childOf(stuck.runId), await scene.childOf(free.runId)];
      await spine.sql.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'in the way'; end $$`);
      await spine.sql.query(
        `create trigger refuse before update on runs for each row when (old.id = '${stuckInner}') execute function refuse()`,
      );
      await replica.cancel(stuck.runId);
      await replica.cancel(free.runId);
      const fresh = await replica.startRun(await scene.add({ sub: called(free.inner) }), spine.projectId);
      expect((await replica.passes.unplaced.run()).wakeInMs).toBeGreaterThan(0);
      expect(await scene.state(freeInner)).toBe('cancelled');
      expect(await scene.task(fresh)).toMatchObject({ state: 'running' });
      await spine.sql.query('drop function refuse cascade');
      await scene.decide();
      expect(await scene.state(stuckInner)).toBe('cancelled');
      await scene.end(await scene.childOf(fresh), 'load');
    });

    it('when its task is marked: it is cancelled, and then the task ends as marked', async () => {
      const { runId } = await scene.nested({ load: {} }, called, { after: { needs: ['sub'] } });
      const inner = await scene.childOf(runId);
      const running = (await replica.runReady(inner)).get('load')!;
      const { awaiting } = await replica.mark(await taskId(runId), 'succeeded');
      expect(awaiting).toHaveLength(1);
      await scene.decide();
      expect(await scene.task(runId)).toMatchObject({ state: 'running' });
      await replica.end([{ attemptId: running.id, outcome: 'cancelled' }]);
      await scene.decide();
      expect(await scene.state(inner)).toBe('cancelled');
      expect(await spine.taskStates(runId)).toEqual({ sub: 'succeeded', after: 'ready' });
      await scene.end(runId, 'after');
    });

    it('when its deadline is over', async () => {
      const { runId } = await scene.nested({ load: {} }, (inner) => ({ ...called(inner), deadlineSeconds: 3600, onDeadline: 'skip' }));
      await spine.sql.query(`update task_runs set deadline_at = clock_timestamp() where run_id = $1`, [runId]);
      await replica.passes.deadline.run();
      await scene.decide();
      expect(await scene.task(runId)).toMatchObject({ state: 'skipped', reason: { code: 'deadline' } });
      expect(await scene.state(await scene.childOf(runId))).toBe('cancelled');
    });
  });

  async function taskId(runId: string): Promise<string> {
    const [row] = await spine.sql.query<{ id: string }>(`select id from task_runs where run_id = $1 and task_key = 'sub' and item = -1`, [
      runId,
    ]);
    return row!.id;
  }
});
