import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import { called, NestScene } from '../testing/nest.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import type { Spine } from '../testing/spine.fixture.js';
import { reference } from '../testing/workflow.fixture.js';

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

  describe('is run again with its parent', () => {
    it('from what failed in it, in a rerun of what failed', async () => {
      const { runId, inner } = await scene.nested({ load: {}, check: { needs: ['load'] } });
      await scene.end(await scene.childOf(runId), 'load', 'succeeded', { rows: 3 });
      await scene.end(await scene.childOf(runId), 'check', 'failed');
      await scene.add({ quite: {}, different: {} }, { name: inner });
      const again = await replica.rerun(runId, { mode: 'failed' });
      await scene.decide();
      const child = await scene.childOf(again);
      expect(await scene.childrenOf(again)).toMatchObject([{ rerun_of: await scene.childOf(runId), workflow_version: 1 }]);
      expect(await spine.taskStates(child)).toEqual({ load: 'succeeded', check: 'ready' });
      await scene.end(child, 'check');
      expect(await scene.state(again)).toBe('succeeded');
    });

    it('anew where its values are others, or all of the parent is run again', async () => {
      const inner = scene.name('inner');
      await scene.add({ load: {}, check: { needs: ['load'] } }, { name: inner, parameters: { day: { type: 'string' } } });
      const outer = await scene.add(
        { sub: called(inner, { day: reference('parameters.day') }) },
        { parameters: { day: { type: 'string', default: 'a' } } },
      );
      const runId = await scene.start(outer);
      await scene.end(await scene.childOf(runId), 'load');
      await scene.end(await scene.childOf(runId), 'check', 'failed');
      for (const wish of [{ mode: 'failed' as const, parameters: { day: 'b' } }, { mode: 'all' as const }]) {
        const again = await replica.rerun(runId, wish);
        await scene.decide();
        expect(await spine.taskStates(await scene.childOf(again))).toEqual({ load: 'ready', check: 'waiting' });
        await replica.cancel(again);
        await scene.decide();
      }
    });

    it('anew where something before it runs again, of which it may have taken more than its values', async () => {
      const inner = scene.name('inner');
      await scene.add({ load: {}, check: { needs: ['load'] } }, { name: inner });
      const runId = await scene.start(await scene.add({ before: {}, sub: { ...called(inner), needs: { before: 'done' } } }));
      await scene.end(runId, 'before', 'failed');
      await scene.end(await scene.childOf(runId), 'load');
      await scene.end(await scene.childOf(runId), 'check', 'failed');
      const again = await replica.rerun(runId, { mode: 'failed' });
      await scene.end(again, 'before');
      expect(await spine.taskStates(await scene.childOf(again))).toEqual({ load: 'ready', check: 'waiting' });
      await replica.cancel(again);
      await scene.decide();
    });

    it('and never alone', async () => {
      const { runId } = await scene.nested({ load: {} });
      await scene.end(await scene.childOf(runId), 'load', 'failed');
      await expect(replica.rerun(await scene.childOf(runId), { mode: 'all' })).rejects.toMatchObject({ code: 'run-not-rerunnable' });
    });

    it('not at all where it is kept, and shows the run that it had', async () => {
      const { runId } = await scene.nested({ load: {} }, called, { after: { needs: ['sub'] } });
      await scene.end(await scene.childOf(runId), 'load');
      await scene.end(runId, 'after', 'failed');
      const again = await replica.rerun(runId, { mode: 'failed' });
      await scene.decide();
      expect(await scene.task(again)).toMatchObject({ state: 'succeeded', child_run_id: await scene.childOf(runId) });
      expect(await scene.childrenOf(again)).toEqual([]);
      await scene.end(again, 'after');
    });
  });

  it('with an approval in it, however deep, is not kept for other parameters', async () => {
    const [low, mid] = [scene.name('low'), scene.name('mid')];
    await scene.add({ approve: { kind: 'approval', script: null, approval: { by: ['role:admin'] } } }, { name: low });
    await scene.add({ deeper: called(low) }, { name: mid });
    const fields = { parameters: { amount: { type: 'integer' as const, default: 10 } } };
    const runId = await scene.start(await scene.add({ sub: called(mid), pay: { needs: ['sub'] } }, fields));
    const approval = await scene.task(await scene.childOf(await scene.childOf(runId)), 'approve');
    await replica.mark(approval.id, 'succeeded');
    await scene.decide();
    await scene.end(runId, 'pay');
    const rerun = (amount: number) => replica.rerun(runId, { mode: 'from', tasks: ['pay'], parameters: { amount } });
    await expect(rerun(10_000)).rejects.toMatchObject({ code: 'run-not-rerunnable', fields: [{ path: 'parameters.amount' }] });
    await replica.cancel(await rerun(10));
    await replica.cancel(await replica.rerun(runId, { mode: 'from', tasks: ['sub'], parameters: { amount: 10_000 } }));
  });
});
