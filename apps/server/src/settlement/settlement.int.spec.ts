import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';

describe('settlement', () => {
  let spine: Spine;
  let replica: Replica;
  let other: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    [replica, other] = await Promise.all([spine.replica(), spine.replica()]);
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

  const diamond = { left: {}, right: {}, join: { needs: ['left', 'right'] } };

  it('counts two parents that end in one batch and makes their child ready once', async () => {
    const { runId, attempts } = await running(diamond);
    const settled = await replica.end([{ attemptId: attempts.get('left')!.id }, { attemptId: attempts.get('right')!.id }]);

    expect(settled.readied).toHaveLength(1);
    expect(await spine.taskStates(runId)).toEqual({ left: 'succeeded', right: 'succeeded', join: 'ready' });
    expect((await spine.run(runId)).open_tasks).toBe(1);
  });

  it('counts two parents that end at once on two servers and makes their child ready once', async () => {
    for (let round = 0; round < 10; round++) {
      const { runId, attempts } = await running(diamond);
      const settled = await Promise.all([
        replica.end([{ attemptId: attempts.get('left')!.id }]),
        other.end([{ attemptId: attempts.get('right')!.id }]),
      ]);

      expect(settled.flatMap(({ readied }) => readied)).toHaveLength(1);
      expect((await spine.taskStates(runId)).join).toBe('ready');
    }
  });

  it('skips what needs success behind a failure, goes on through `done`, and fails the run only when the last task has ended', async () => {
    const { runId, attempts } = await running({
      bad: {},
      good: {},
      child: { needs: ['bad'] },
      grandchild: { needs: ['child', 'good'] },
      cleanup: { needs: { grandchild: 'done' } },
    });
    await replica.end([{ attemptId: attempts.get('bad')!.id, outcome: 'failed', exitCode: 3 }]);
    expect(await spine.taskStates(runId)).toEqual({
      bad: 'failed',
      good: 'running',
      child: 'skipped',
      grandchild: 'skipped',
      cleanup: 'ready',
    });
    expect((await spine.run(runId)).state).toBe('running');
    expect((await spine.taskRuns(runId)).get('child')!.reason).toEqual({
      code: 'skipped',
      text: 'bad failed, needed: succeeded',
      values: { mode: 'all', parents: [{ key: 'bad', state: 'failed', needed: 'succeeded' }], more: 0 },
    });
    expect((await spine.taskRuns(runId)).get('bad')!.reason).toEqual({
      code: 'failed',
      text: 'ended with exit code 3',
      explanation: { code: 'ended-with-exit-code', values: { code: 3 } },
    });

    await replica.end([{ attemptId: attempts.get('good')!.id }]);
    const cleanup = (await replica.runReady(runId)).get('cleanup')!;
    const settled = await replica.end([{ attemptId: cleanup.id }]);
    expect(settled.finishedRuns.map(({ id }) => id)).toEqual([runId]);
    expect((await spine.run(runId)).state).toBe('failed');
  });

  it('makes an `any` child ready with the first parent that fits and skips it when none did', async () => {
    const anyOf = (keys: string[]) => ({
      mode: 'any' as const,
      conditions: Object.fromEntries(keys.map((key) => [key, 'failed' as const])),
    });
    const { runId, attempts } = await running({
      a: {},
      b: {},
      c: {},
      alarm: { needs: anyOf(['a', 'b']) },
      never: { needs: anyOf(['b', 'c']) },
    });
    await replica.end([{ attemptId: attempts.get('a')!.id, outcome: 'failed' }]);
    await replica.end([{ attemptId: attempts.get('b')!.id }]);
    await other.end([{ attemptId: attempts.get('c')!.id }]);

    expect(await spine.taskStates(runId)).toMatchObject({ alarm: 'ready', never: 'skipped' });
  });

  it('retries with growing pauses and recomputes the children after the success', async () => {
    const retry = { attempts: 3, delaySeconds: 0.05, backoff: 'exponential' as const, maxDelaySeconds: 300 };
    const { runId, attempts } = await running({ flaky: { retry: { ...retry, delaySeconds: 100 } }, child: { needs: ['flaky'] } });
    const first = attempts.get('flaky')!;
    const settled = await replica.end([{ attemptId: first.id, outcome: 'failed', detail: 'connection reset' }]);

    expect(settled.retrying).toHaveLength(1);
    const waiting = (await spine.taskRuns(runId)).get('flaky')!;
    expect(waiting).toMatchObject({ state: 'retry-wait', tries: 1, reason: { code: 'retry-wait', text: 'connection reset' } });
    const [pause] = await spine.sql.query<{ seconds: number }>(
      'select extract(epoch from retry_at - clock_timestamp())::float8 as seconds from task_runs where id = $1',
      [waiting.id],
    );
    expect(pause!.seconds).toBeGreaterThan(95);
    expect(pause!.seconds).toBeLessThan(110.1);
    expect((await spine.taskStates(runId)).child).toBe('waiting');

    await spine.sql.query(`update task_runs set retry_at = clock_timestamp() where id = $1`, [waiting.id]);
    await replica.passes.retry.run();
    const second = (await replica.runReady(runId)).get('flaky')!;
    expect(second).toMatchObject({ fence: first.fence + 1 });
    await replica.end([{ attemptId: second.id }]);
    expect(await spine.taskStates(runId)).toEqual({ flaky: 'succeeded', child: 'ready' });
  });

  it('stores a timeout as timed_out and fails the task with that reason when no try is left', async () => {
    const { runId, attempts } = await running({ slow: {} });
    await replica.end([{ attemptId: attempts.get('slow')!.id, outcome: 'timed_out', exitCode: null, signal: 'SIGKILL' }]);

    expect((await spine.attempt(runId, 'slow')).state).toBe('timed_out');
    expect((await spine.taskRuns(runId)).get('slow')).toMatchObject({ state: 'failed', reason: { code: 'timed_out', text: 'timed out' } });
    expect((await spine.run(runId)).state).toBe('failed');
  });

  it('places a lost attempt anew at once, elsewhere, three times beside the tries of the task', async () => {
    const { runId } = await running({ task: {} });
    for (let loss = 1; loss <= 4; loss++) {
      const attempt = await spine.attempt(runId, 'task');
      await replica.end([{ attemptId: attempt.id, outcome: 'lost', exitCode: null, runSeconds: null }]);
      const task = (await spine.taskRuns(runId)).get('task')!;
      expect(task).toMatchObject({ state: loss <= 3 ? 'ready' : 'failed', lost_count: loss, tries: 0 });
      expect(task.avoid_node_ids).toContain(attempt.node_id);
      await replica.runReady(runId);
      if (loss === 1) expect((await spine.attempt(runId, 'task')).node_id).not.toBe(attempt.node_id);
    }
    expect((await spine.taskRuns(runId)).get('task')!.reason!.code).toBe('lost');
    expect((await spine.run(runId)).state).toBe('failed');
  });

  it('ends a cancelled attempt as cancelled even when it reports success, and only then the run', async () => {
    const { runId, attempts } = await running({ task: {}, child: { needs: ['task'] } });
    await replica.cancel(runId);
    expect(await spine.taskStates(runId)).toEqual({ task: 'running', child: 'cancelled' });
    expect((await spine.run(runId)).state).toBe('cancelling');

    await replica.end([{ attemptId: attempts.get('task')!.id }]);
    expect((await spine.attempt(runId, 'task')).state).toBe('cancelled');
    expect(await spine.taskStates(runId)).toEqual({ task: 'cancelled', child: 'cancelled' });
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('ends an attempt that was ordered to stop for its timeout as timed out even when it reports success', async () => {
    const { runId, attempts } = await running({ task: {} });
    const { id } = attempts.get('task')!;
    await spine.sql.query(
      `update attempts set state = 'stopping', stop_reason = 'timed_out', stopping_at = clock_timestamp() where id = $1`,
      [id],
    );
    await replica.end([{ attemptId: id }]);
    expect((await spine.attempt(runId, 'task')).state).toBe('timed_out');
    expect((await spine.taskStates(runId)).task).toBe('failed');
  });

  it('takes a cancellation that nobody ordered for a loss', async () => {
    const { runId, attempts } = await running({ task: {} });
    await replica.end([{ attemptId: attempts.get('task')!.id, outcome: 'cancelled' }]);
    expect((await spine.attempt(runId, 'task')).state).toBe('lost');
    expect((await spine.taskRuns(runId)).get('task')).toMatchObject({ state: 'ready', lost_count: 1 });
  });

  it('changes nothing when an attempt ends twice, whatever it says the second time', async () => {
    const { runId, attempts } = await running(diamond);
    const { id } = attempts.get('left')!;
    await replica.end([{ attemptId: id }]);
    const before = await spine.taskRuns(runId);
    const again = await Promise.all([replica.end([{ attemptId: id, outcome: 'failed' }]), other.end([{ attemptId: id, outcome: 'lost' }])]);

    expect(again.flatMap((settled) => [...settled.attempts, ...settled.ended, ...settled.readied])).toEqual([]);
    expect(await spine.taskRuns(runId)).toEqual(before);
    expect((await spine.run(runId)).open_tasks).toBe(2);
  });

  it('counts one ending when two servers end the same attempt at once', async () => {
    const { runId, attempts } = await running(diamond);
    const { id } = attempts.get('left')!;
    const both = await Promise.all([replica.end([{ attemptId: id }]), other.end([{ attemptId: id, outcome: 'failed' }])]);
    expect(both.flatMap((settled) => settled.attempts)).toHaveLength(1);
    expect((await spine.run(runId)).open_tasks).toBe((await spine.taskStates(runId)).left === 'succeeded' ? 2 : 1);
  });

  it('lets an attempt with an old fence change nothing of its task', async () => {
    const { runId, attempts } = await running({ task: {} });
    const old = attempts.get('task')!;
    await spine.sql.query(`update task_runs set fence = fence + 1, state = 'ready' where id = $1`, [old.task_run_id]);
    await replica.end([{ attemptId: old.id }]);
    expect((await spine.taskStates(runId)).task).toBe('ready');
    expect((await spine.run(runId)).state).toBe('running');
  });

  it('rolls back completely and forgets what a failed transaction concluded', async () => {
    const { runId, attempts } = await running(diamond);
    const ending = {
      attemptId: attempts.get('left')!.id,
      outcome: 'succeeded' as const,
      exitCode: 0,
      signal: null,
      detail: null,
      runSeconds: 1,
    };
    const failing = spine.inTransaction(async (sql) => {
      await replica.settlement.endAttempts(sql, [ending]);
      throw new Error('the server dies here');
    });
    await expect(failing).rejects.toThrow('the server dies here');
    await replica.end([{ attemptId: attempts.get('right')!.id }]);
    expect((await spine.taskStates(runId)).join).toBe('waiting');

    await replica.end([{ attemptId: attempts.get('left')!.id }]);
    expect((await spine.taskStates(runId)).join).toBe('ready');
  });

  it('makes the child of 1,000 parents ready once, however the endings are spread over batches and servers', async () => {
    const parents = Array.from({ length: 1000 }, (_, index) => `part-${index}`);
    const { runId, attempts } = await running({ ...Object.fromEntries(parents.map((key) => [key, {}])), join: { needs: parents } });
    const endings = parents.map((key) => ({ attemptId: attempts.get(key)!.id }));
    const batches = Array.from({ length: 20 }, (_, index) => endings.slice(index * 50, (index + 1) * 50));
    const settled = await Promise.all(batches.map((batch, index) => (index % 2 ? replica : other).end(batch)));

    expect(settled.flatMap(({ readied }) => readied)).toHaveLength(1);
    expect((await spine.taskStates(runId)).join).toBe('ready');
    expect((await spine.run(runId)).open_tasks).toBe(1);
  });

  it('stores texts that Postgres cannot hold without what it refuses', async () => {
    const { runId, attempts } = await running({ bad: {}, good: {} });
    await replica.end([
      {
        attemptId: attempts.get('bad')!.id,
        outcome: 'failed',
        exitCode: 0xc0000005,
        signal: 'SIG\0',
        detail: 'nul \0 and half a pair \ud800 end',
      },
      { attemptId: attempts.get('good')!.id },
    ]);
    expect(await spine.taskStates(runId)).toEqual({ bad: 'failed', good: 'succeeded' });
    expect(await spine.attempt(runId, 'bad')).toMatchObject({ exit_code: -1073741819, detail: 'nul � and half a pair � end' });
  });
});
