import type { Outputs } from '@medley/core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { pauseRun, resumeRun } from '../runs/pause-run.js';
import type { AttemptEnding } from '../settlement/settlement.types.js';
import { readOutputsOf } from '../task-runs/task-results.js';
import { listTaskRunParts } from '../task-runs/task-run-parts.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import { reference, type TaskFields } from '../testing/workflow.fixture.js';

const mapOf = (over: (string | number)[] | string, fields: { parallel?: number; onFailure?: 'finish' | 'stop' } = {}): TaskFields => ({
  map: { over, as: 'region', parallel: null, onFailure: 'finish', ...fields },
});

describe('a mapped task', () => {
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

  /** Places, claims and ends everything that may run, until nothing does; `outcome` by the item. Returns the most that ran at once. */
  async function runAll(runId: string, outcome: (item: number) => 'succeeded' | 'failed' = () => 'succeeded'): Promise<number> {
    let most = 0;
    for (let round = 0; round < 2000; round++) {
      await replica.passes.unplaced.run();
      await replica.runReady(runId);
      const live = await spine.sql.query<{ id: string; item: number }>(
        `select a.id, t.item from attempts a join task_runs t on t.id = a.task_run_id where a.run_id = $1 and a.state = 'running'`,
        [runId],
      );
      if (live.length === 0) return most;
      most = Math.max(most, live.length);
      await replica.end(live.map(({ id, item }) => ({ attemptId: id, outcome: outcome(item) })));
    }
    throw new Error('the run does not end');
  }
  const states = (runId: string) =>
    spine.sql.query<{ task_key: string; item: number; state: string }>(
      'select task_key, item, state from task_runs where run_id = $1 order by position, item',
      [runId],
    );

  it('has one task run per item, of which no more than `parallel` run at once, and ends with the last', async () => {
    const runId = await started({ load: mapOf(['n', 'e', 's', 'w', 'x'], { parallel: 2 }), after: { needs: ['load'] } });
    expect(await states(runId)).toMatchObject([
      { item: -1, state: 'running' },
      { item: 0, state: 'ready' },
      { item: 1, state: 'ready' },
      { item: 2, state: 'waiting' },
      { item: 3, state: 'waiting' },
      { item: 4, state: 'waiting' },
      { task_key: 'after', state: 'waiting' },
    ]);
    expect(await runAll(runId)).toBe(2);
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('gives each instance its item', async () => {
    const runId = await started({
      load: { ...mapOf(['north', 'east']), env: { REGION: reference('map.region'), AT: reference('map.index') } },
    });
    await replica.place();
    const given = await Promise.all((await spine.attempts(runId)).map((attempt) => replica.claim(attempt)));
    expect(given.map((result) => (result.granted ? result.work.env : null))).toEqual(
      expect.arrayContaining([
        { REGION: 'north', AT: '0' },
        { REGION: 'east', AT: '1' },
      ]),
    );
    await runAll(runId);
  });

  it('succeeds at once over an empty list, and runs what is behind it', async () => {
    const runId = await started({ load: mapOf([]), after: { needs: ['load'] } });
    expect(await spine.taskStates(runId)).toEqual({ load: 'succeeded', after: 'ready' });
    await runAll(runId);
  });

  it('fails where its list is none, with that reason', async () => {
    const runId = await started({ load: mapOf(`x ${reference('run.id')}`) });
    const row = (await spine.taskRuns(runId)).get('load')!;
    expect(row).toMatchObject({ state: 'failed', reason: { code: 'reference-invalid' } });
  });

  it('lets the others finish when an item fails, and fails with the last', async () => {
    const runId = await started({ load: mapOf([0, 1, 2, 3], { parallel: 1 }), after: { needs: ['load'] } });
    await runAll(runId, (item) => (item === 1 ? 'failed' : 'succeeded'));
    expect((await states(runId)).map(({ state }) => state)).toEqual(['failed', 'succeeded', 'failed', 'succeeded', 'succeeded', 'skipped']);
    expect((await spine.run(runId)).state).toBe('failed');
  });

  it('lets nothing more begin after a failure where it is to stop', async () => {
    const runId = await started({ load: mapOf([0, 1, 2, 3], { parallel: 2, onFailure: 'stop' }) });
    await runAll(runId, (item) => (item === 0 ? 'failed' : 'succeeded'));
    expect((await states(runId)).map(({ state }) => state)).toEqual(['failed', 'failed', 'succeeded', 'skipped', 'skipped']);
  });

  describe('gathers what its items gave', () => {
    const ended = async (tasks: Record<string, TaskFields>, given: (item: number) => Partial<AttemptEnding>) => {
      const runId = await started(tasks);
      await replica.runReady(runId);
      const live = await spine.sql.query<{ id: string; item: number }>(
        `select a.id, t.item from attempts a join task_runs t on t.id = a.task_run_id where a.run_id = $1`,
        [runId],
      );
      await replica.end(live.map(({ id, item }) => ({ attemptId: id, ...given(item) })));
      return runId;
    };
    const parent = async (runId: string) => (await spine.taskRuns(runId)).get('load')!;

    it('as lists in the order of the items, over which the next task is mapped', async () => {
      const tasks = { load: mapOf(['n', 'e', 's']), next: { ...mapOf(reference('tasks.load.outputs.rows')), needs: ['load'] } };
      const runId = await ended(tasks, (item) => ({ outputs: (item === 1 ? { seen: true } : { rows: item * 10 }) as Outputs }));
      expect(await readOutputsOf(spine.sql, (await parent(runId)).id)).toEqual({ rows: [0, null, 20], seen: [null, true, null] });
      await replica.passes.unplaced.run();
      expect((await states(runId)).filter(({ task_key, item }) => task_key === 'next' && item >= 0)).toHaveLength(3);
      await runAll(runId);
    });

    it('also of those that failed', async () => {
      const runId = await ended({ load: mapOf(['n', 'e']) }, (item) => ({
        outcome: item === 0 ? 'failed' : 'succeeded',
        outputs: { at: item },
      }));
      expect(await parent(runId)).toMatchObject({ state: 'failed', reason: { code: 'items-failed' } });
      expect(await readOutputsOf(spine.sql, (await parent(runId)).id)).toEqual({ at: [0, 1] });
    });

    it.each([
      ['too large', () => ({ text: 'x'.repeat(60_000) }), 'gathered-too-large'],
      [
        'of too many names',
        (item: number) => Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`n${item}-${at}`, at])),
        'gathered-too-many',
      ],
      ['too large with what items did not give', (item: number) => ({ [`n${item % 100}`]: item }), 'gathered-too-large', 2000],
    ])('and fails when they are %s and a task names them, with nothing kept', async (_, outputs, code, items = 18) => {
      const load = mapOf(Array.from({ length: items }, (_, at) => at));
      const next = { ...mapOf(reference('tasks.load.outputs.rows')), needs: ['load'] };
      const runId = await ended({ load, next }, (item) => ({ outputs: outputs(item) as never }));
      expect(await parent(runId)).toMatchObject({ state: 'failed', reason: { code } });
      expect(await readOutputsOf(spine.sql, (await parent(runId)).id)).toBeNull();
    });

    it('and succeeds when they are too large but nobody names them, with that told and nothing kept', async () => {
      const load = mapOf(Array.from({ length: 18 }, (_, at) => at));
      const runId = await ended({ load, next: { needs: ['load'] } }, () => ({ outputs: { text: 'x'.repeat(60_000) } }));
      expect(await parent(runId)).toMatchObject({ state: 'succeeded', reason: { code: 'gathered-too-large' } });
      expect(await readOutputsOf(spine.sql, (await parent(runId)).id)).toBeNull();
      await runAll(runId);
    });
  });

  it('gives no place to another item for one that is marked before its turn, and passes that one over', async () => {
    const runId = await started({ load: mapOf([0, 1, 2, 3, 4, 5], { parallel: 2 }) });
    const idOf = async (item: number) =>
      (await spine.sql.query<{ id: string }>('select id from task_runs where run_id = $1 and item = $2', [runId, item]))[0]!.id;
    for (const item of [2, 4]) await replica.mark(await idOf(item), 'skipped');
    const now = async () => (await states(runId)).slice(1).map(({ state }) => state);
    expect(await now()).toEqual(['ready', 'ready', 'skipped', 'waiting', 'skipped', 'waiting']);
    await replica.mark(await idOf(0), 'succeeded'); // it has begun: its place is free
    expect(await now()).toEqual(['succeeded', 'ready', 'skipped', 'ready', 'skipped', 'waiting']);
    expect(await runAll(runId)).toBe(2);
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('goes on with every item that waits when the reconcile pass has counted anew', async () => {
    const runId = await started({ load: mapOf([0, 1, 2, 3], { parallel: 1 }) });
    const [last] = await spine.sql.query<{ id: string }>('select id from task_runs where run_id = $1 and item = 3', [runId]);
    await replica.mark(last!.id, 'skipped');
    await spine.inTransaction((sql) => replica.settlement.reevaluate(sql, [runId]));
    expect(await runAll(runId)).toBe(1);
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('is cancelled with its run, once what ran is gone', async () => {
    const runId = await started({ load: mapOf([0, 1, 2], { parallel: 1 }), after: { needs: { load: 'done' } } });
    const live = await replica.runReady(runId);
    await replica.cancel(runId);
    expect((await states(runId)).map(({ state }) => state)).toEqual(['running', 'running', 'cancelled', 'cancelled', 'cancelled']);
    await replica.end([{ attemptId: live.get('load')!.id, outcome: 'cancelled' }]);
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('is cancelled at once when nothing of it runs', async () => {
    const runId = await started({ load: mapOf([0, 1], { parallel: 1 }) });
    await replica.cancel(runId);
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('begins no further item in a paused run, and goes on where it was', async () => {
    const runId = await started({ load: mapOf([0, 1, 2], { parallel: 1 }) });
    const live = await replica.runReady(runId);
    await spine.inTransaction((sql) => pauseRun(sql, runId));
    await replica.end([{ attemptId: live.get('load')!.id }]);
    expect((await states(runId)).map(({ state }) => state)).toEqual(['running', 'succeeded', 'paused', 'waiting']);
    await spine.inTransaction((sql) => resumeRun(sql, runId));
    await runAll(runId);
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('ends over 1,000 items, and is listed page by page', async () => {
    const runId = await started({
      load: mapOf(
        Array.from({ length: 1000 }, (_, index) => index),
        { parallel: 200 },
      ),
      after: { needs: ['load'] },
    });
    const parentId = (await spine.taskRuns(runId)).get('load')!.id;
    const first = await listTaskRunParts(spine.sql, parentId, { limit: 3 });
    expect(first.items.map(({ item, itemValue }) => [item, itemValue])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    const second = await listTaskRunParts(spine.sql, parentId, { limit: 3, cursor: first.nextCursor! });
    expect(second.items.map(({ item }) => item)).toEqual([3, 4, 5]);
    expect((await listTaskRunParts(spine.sql, parentId, { limit: 500, state: 'ready' })).items).toHaveLength(200);

    expect(await runAll(runId, (item) => (item === 999 ? 'failed' : 'succeeded'))).toBeLessThanOrEqual(200);
    expect(await spine.taskStates(runId)).toMatchObject({ after: 'skipped' });
    expect((await spine.run(runId)).state).toBe('failed');
  });
});
