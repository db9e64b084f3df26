import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';

describe('conditions of tasks', () => {
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

  async function started(tasks: Record<string, TaskFields>) {
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    await replica.passes.unplaced.run();
    return runId;
  }
  async function end(runId: string, key: string, outcome: 'succeeded' | 'failed' = 'succeeded') {
    await replica.end([{ attemptId: (await replica.runReady(runId)).get(key)!.id, outcome }]);
    await replica.passes.unplaced.run();
  }
  const reasonOf = async (runId: string, key: string) => (await spine.taskRuns(runId)).get(key)!.reason;

  it('let a task run where `when` is true, and skip it with the reason where it is false', async () => {
    const runId = await started({
      yes: { when: '1 < 2' },
      no: { when: '2 < 1' },
      behind: { needs: ['no'] },
      tidy: { needs: { no: 'skipped' } },
    });
    expect(await spine.taskStates(runId)).toEqual({ yes: 'ready', no: 'skipped', behind: 'skipped', tidy: 'ready' });
    expect(await reasonOf(runId, 'no')).toMatchObject({ code: 'when-false', values: { when: '2 < 1' } });
    await end(runId, 'yes');
    await end(runId, 'tidy');
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('are asked only once the needs hold, of how the tasks before ended', async () => {
    const runId = await started({ a: {}, b: { needs: { a: 'done' }, when: 'tasks.a.state == "failed"' } });
    expect((await spine.taskStates(runId)).b).toBe('waiting');
    await end(runId, 'a', 'failed');
    expect((await spine.taskStates(runId)).b).toBe('ready');
    await end(runId, 'b');
  });

  it('fail the task where they cannot be evaluated, and nothing else', async () => {
    const runId = await started({ odd: { when: 'schedule.date == "2026-01-01"' }, text: { when: '"yes"' }, fine: {} });
    expect(await spine.taskStates(runId)).toEqual({ odd: 'failed', text: 'failed', fine: 'ready' });
    expect(await reasonOf(runId, 'odd')).toMatchObject({ code: 'reference-invalid' });
    await end(runId, 'fine');
  });

  it('are not asked again of a task that is tried again', async () => {
    const retry = { attempts: 2, delaySeconds: 0, backoff: 'fixed' as const, maxDelaySeconds: 0 };
    const runId = await started({ a: { when: 'true', retry } });
    await end(runId, 'a', 'failed');
    expect((await spine.taskStates(runId)).a).toBe('ready');
    await end(runId, 'a');
  });

  const branches: Record<string, TaskFields> = {
    north: { needs: ['pick'], branch: { of: 'pick', cases: ['n'] } },
    both: { needs: ['pick'], branch: { of: 'pick', cases: ['n', 's'] } },
    other: { needs: ['pick'], branch: { of: 'pick', cases: [''] } },
    join: { needs: { mode: 'all', conditions: { north: 'done', both: 'done', other: 'done' } } },
  };
  const pick = (on: string): TaskFields => ({ kind: 'switch', script: null, switch: { on, cases: ['n', 's'] } });

  it('choose the tasks of one case of a switch, which holds no slot', async () => {
    const runId = await started({ pick: pick('"n"'), ...branches });
    await replica.passes.unplaced.run();
    expect(await spine.taskStates(runId)).toEqual({ pick: 'succeeded', north: 'ready', both: 'ready', other: 'skipped', join: 'waiting' });
    expect(await reasonOf(runId, 'other')).toMatchObject({ code: 'case-not-chosen', values: { switch: 'pick', chosen: 'n' } });
    expect(await spine.attempts(runId)).toEqual([]);
    await end(runId, 'north');
    await end(runId, 'both');
    await end(runId, 'join');
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('choose the default of a switch for every other value', async () => {
    const runId = await started({ pick: pick('string(7)'), ...branches });
    await replica.passes.unplaced.run();
    expect(await spine.taskStates(runId)).toMatchObject({ north: 'skipped', both: 'skipped', other: 'ready' });
    await replica.cancel(runId);
  });

  it('are decided by the next pass where a server stopped before, once on several servers', async () => {
    const other = await spine.replica();
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, { pick: pick('"n"'), ...branches }), spine.projectId);
    await Promise.all([replica, other, replica].map((each) => each.passes.unplaced.run()));
    await Promise.all([replica, other].map((each) => each.passes.unplaced.run()));
    expect(await spine.taskStates(runId)).toMatchObject({ north: 'ready', both: 'ready' });
    await replica.cancel(runId);
  });
});
