import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { readOutputsOf } from '../task-runs/task-results.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import { reference, type TaskFields } from '../testing/workflow.fixture.js';

type Loop = NonNullable<TaskFields['loop']>;
const loopOf = (until: string, fields: Partial<Loop> = {}): TaskFields => ({
  loop: { until, max: 10, delaySeconds: 0, onMax: 'fail', ...fields },
});
const done = 'outputs.left == 0';

describe('a repeated task', () => {
  let spine: Spine;
  let replica: Replica;
  let other: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    [replica, other] = [await spine.replica(), await spine.replica()];
    pool = await spine.addPool();
    await spine.addNode(pool.id);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  /** Both servers look at once. */
  const decide = () => Promise.all([replica.passes.unplaced.run(), other.passes.unplaced.run()]);
  async function started(tasks: Record<string, TaskFields>) {
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    await decide();
    return runId;
  }
  const iterations = (runId: string, key = 'poll') =>
    spine.sql.query<{ id: string; item: number; state: string; tries: number; reason: { code: string } | null; retry_at: Date | null }>(
      'select * from task_runs where run_id = $1 and task_key = $2 and item >= 0 order by item',
      [runId, key],
    );
  const task = async (runId: string, key = 'poll') => (await spine.taskRuns(runId)).get(key)!;
  async function begin(runId: string): Promise<{ id: string }> {
    await replica.runReady(runId);
    const [live] = await spine.sql.query<{ id: string }>(`select id from attempts where run_id = $1 and finished_at is null`, [runId]);
    return live!;
  }
  async function end(runId: string, outputs: Record<string, unknown>, outcome: 'succeeded' | 'failed' = 'succeeded') {
    await replica.end([{ attemptId: (await begin(runId)).id, outcome, outputs: outputs as never }]);
    await decide();
  }
  /** Its next iteration has rested enough. */
  async function rested(runId: string): Promise<void> {
    await spine.sql.query(`update task_runs set retry_at = clock_timestamp() where run_id = $1 and state = 'retry-wait'`, [runId]);
    await replica.passes.retry.run();
    await decide();
  }

  it('runs one iteration after the other until its condition holds, and gives what the last one gave', async () => {
    const runId = await started({ poll: loopOf(done), after: { needs: ['poll'], env: { LEFT: reference('tasks.poll.outputs.left') } } });
    for (const left of [2, 1]) {
      await end(runId, { left });
      expect(await task(runId)).toMatchObject({ state: 'running' });
    }
    expect((await iterations(runId)).map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'ready']);
    await end(runId, { left: 0, total: 7 });
    expect(await task(runId)).toMatchObject({ state: 'succeeded', reason: { code: 'loop-ended', values: { iterations: 3 } } });
    await replica.place();
    const granted = await replica.claim(await spine.attempt(runId, 'after'));
    expect(granted.granted && granted.work.env).toEqual({ LEFT: '0' });
    await end(runId, {});
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('tells each iteration its number and what the one before gave', async () => {
    const before = `has(loop.previous.cursor) ? loop.previous.cursor : "none"`;
    const runId = await started({ poll: { ...loopOf('loop.index == 1'), env: { AT: reference('loop.index'), FROM: reference(before) } } });
    const env = async () => {
      await replica.place();
      const granted = await replica.claim((await spine.attempts(runId)).at(-1)!);
      return granted.granted ? granted.work.env : null;
    };
    expect(await env()).toEqual({ AT: '0', FROM: 'none' });
    await end(runId, { cursor: 'x7' });
    expect(await env()).toEqual({ AT: '1', FROM: 'x7' });
    await end(runId, {});
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it.each([
    ['fail', 'failed'],
    ['succeed', 'succeeded'],
  ] as const)('ends by its maximum where the condition never holds: onMax %s', async (onMax, state) => {
    const runId = await started({ poll: loopOf(done, { max: 2, onMax }) });
    await end(runId, { left: 5 });
    await end(runId, { left: 4 });
    expect(await task(runId)).toMatchObject({ state, reason: { code: 'loop-max', values: { max: 2, until: done } } });
    expect(await iterations(runId)).toHaveLength(2);
    expect(await readOutputsOf(spine.sql, (await taskIds(runId)).poll!)).toEqual({ left: 4 });
  });

  it('fails with an iteration that fails after its own retries, and what needs it does not start', async () => {
    const retry = { attempts: 2, delaySeconds: 0, backoff: 'fixed' as const, maxDelaySeconds: 1 };
    const runId = await started({ poll: { ...loopOf(done), retry }, after: { needs: ['poll'] } });
    await end(runId, { left: 1 });
    await end(runId, {}, 'failed');
    expect(await task(runId)).toMatchObject({ state: 'running' });
    await end(runId, { why: 'broken' }, 'failed');
    expect(await iterations(runId)).toMatchObject([{ tries: 1 }, { tries: 2, state: 'failed' }]);
    expect(await task(runId)).toMatchObject({ state: 'failed', reason: { code: 'iteration-failed', values: { iteration: 2 } } });
    expect(await spine.taskStates(runId)).toEqual({ poll: 'failed', after: 'skipped' });
    expect(await readOutputsOf(spine.sql, (await taskIds(runId)).poll!)).toEqual({ why: 'broken' });
  });

  it.each(['outputs.left == 0', '"yes"'])('fails where its condition cannot be evaluated, and nothing else: %s', async (until) => {
    const runId = await started({ poll: loopOf(until) });
    await end(runId, { other: 1 });
    expect(await task(runId)).toMatchObject({ state: 'failed', reason: { code: 'reference-invalid' } });
    expect((await spine.run(runId)).state).toBe('failed');
  });

  it('rests between two iterations', async () => {
    const runId = await started({ poll: loopOf(done, { delaySeconds: 3600 }) });
    expect(await iterations(runId)).toMatchObject([{ state: 'ready' }]);
    await end(runId, { left: 1 });
    const [, second] = await iterations(runId);
    expect(second).toMatchObject({ state: 'retry-wait', reason: { code: 'loop-rests' } });
    expect(second!.retry_at!.getTime() - Date.now()).toBeGreaterThan(3_000_000);
    await rested(runId);
    await end(runId, { left: 0 });
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('begins no iteration in a paused run, and goes on with its resume', async () => {
    const runId = await started({ poll: loopOf(done) });
    const { id } = await begin(runId);
    await replica.pause(runId);
    await replica.end([{ attemptId: id, outputs: { left: 1 } }]);
    await decide();
    expect((await iterations(runId)).map(({ state }) => state)).toEqual(['succeeded', 'paused']);
    await replica.resume(runId);
    await end(runId, { left: 0 });
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('is cancelled midway: what runs is stopped first, and no further iteration begins', async () => {
    const runId = await started({ poll: loopOf(done), last: { isFinal: true } });
    await end(runId, { left: 1 });
    const { id } = await begin(runId);
    await replica.cancel(runId);
    expect(await task(runId)).toMatchObject({ state: 'running' });
    await replica.end([{ attemptId: id, outcome: 'cancelled' }]);
    await decide();
    expect(await spine.taskStates(runId)).toEqual({ poll: 'cancelled', last: 'ready' });
    expect(await iterations(runId)).toHaveLength(2);
    await end(runId, {});
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('is cancelled at once while it rests, or between the end of an iteration and the look at it', async () => {
    const resting = await started({ poll: loopOf(done, { delaySeconds: 3600 }) });
    await end(resting, { left: 1 });
    await replica.cancel(resting);
    expect((await spine.run(resting)).state).toBe('cancelled');
    const between = await started({ poll: loopOf(done) });
    await replica.end([{ attemptId: (await begin(between)).id, outputs: { left: 1 } }]);
    await replica.cancel(between);
    await decide();
    expect(await task(between)).toMatchObject({ state: 'cancelled' });
    expect((await spine.run(between)).state).toBe('cancelled');
    const given = async (runId: string) => readOutputsOf(spine.sql, (await task(runId)).id);
    expect([await given(resting), await given(between)]).toEqual([{ left: 1 }, { left: 1 }]);
  });

  it('goes on where a server died between the end of an iteration and the look at it', async () => {
    const runId = await started({ poll: loopOf(done) });
    await replica.end([{ attemptId: (await begin(runId)).id, outputs: { left: 1 } }]);
    await spine.inTransaction((sql) => other.settlement.reevaluate(sql, [runId]));
    await other.passes.unplaced.run();
    expect(await task(runId)).toMatchObject({ state: 'running' });
    await end(runId, { left: 0 });
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('ends as its iteration is marked', async () => {
    const runId = await started({ poll: loopOf(done), after: { needs: ['poll'] } });
    await end(runId, { left: 1 });
    const [, second] = await iterations(runId);
    await replica.mark(second!.id, 'succeeded');
    await decide();
    expect(await task(runId)).toMatchObject({ state: 'succeeded', reason: { code: 'marked' } });
    await end(runId, {});
  });

  it('has one deadline for all of its iterations', async () => {
    const runId = await started({ poll: { ...loopOf(done, { delaySeconds: 3600 }), deadlineSeconds: 7200, onDeadline: 'skip' } });
    await end(runId, { left: 1 });
    const deadlines = await spine.sql.query<{ deadline_at: Date | null }>(
      'select deadline_at from task_runs where run_id = $1 order by item',
      [runId],
    );
    expect(deadlines.map(({ deadline_at }) => deadline_at?.getTime())).toEqual([
      undefined,
      expect.any(Number),
      deadlines[1]!.deadline_at!.getTime(),
    ]);
    await spine.sql.query(`update task_runs set deadline_at = clock_timestamp() where run_id = $1 and item = 1`, [runId]);
    await replica.passes.deadline.run();
    await decide();
    expect(await task(runId)).toMatchObject({ state: 'skipped', reason: { code: 'deadline' } });
  });

  it('repeats a workflow, with a run of its own for each iteration', async () => {
    const name = 'repeated';
    await spine.addWorkflow(pool.name, { load: {} }, { name, parameters: { from: { type: 'integer' } } });
    const runId = await started({
      poll: {
        ...loopOf('outputs.next > 2'),
        kind: 'workflow',
        script: null,
        subWorkflow: { workflow: name, version: null, parameters: { from: reference('has(loop.previous.next) ? loop.previous.next : 0') } },
        outputs: { next: 'tasks.load.outputs.next' },
      },
    });
    for (const next of [1, 2, 3]) {
      await decide();
      const children = await spine.sql.query<{ id: string; parameters: object }>(
        'select id, parameters from runs where parent_run_id = $1 order by id',
        [runId],
      );
      expect(children.at(-1)!.parameters).toEqual({ from: next - 1 });
      await end(children.at(-1)!.id, { next });
      await decide();
    }
    expect(await task(runId)).toMatchObject({ state: 'succeeded', reason: { values: { iterations: 3 } } });
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  async function taskIds(runId: string): Promise<Record<string, string>> {
    const rows = await spine.sql.query<{ id: string; task_key: string }>(
      'select id, task_key from task_runs where run_id = $1 and item = -1',
      [runId],
    );
    return Object.fromEntries(rows.map(({ id, task_key }) => [task_key, id]));
  }
});
