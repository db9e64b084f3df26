import { uuidv7 } from '@medley/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { replayPlacement } from '../attempts/placement-view.js';
import { placeableOrder } from '../passes/place.snapshot.js';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';

describe('limits', () => {
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
  afterEach(async () => {
    await expectInvariants(spine);
    await spine.sql.query('delete from project_quotas');
    const left = await spine.sql.query<{ id: string }>(`select id from runs where finished_at is null`);
    for (const { id } of left) await replica.cancel(id);
    const live = await spine.sql.query<{ id: string }>('select id from attempts where finished_at is null');
    await replica.end(live.map(({ id }) => ({ attemptId: id, outcome: 'lost' as const })));
    await expectInvariants(spine);
  });
  afterAll(() => spine.close());

  let names = 0;
  async function addLimit(slots: number | null, rate?: { starts: number; seconds: number }): Promise<{ id: string; name: string }> {
    const [id, name] = [uuidv7(), `limit-${++names}`];
    await spine.sql.query(
      `insert into limits (id, project_id, kind, name, slots, rate_starts, rate_seconds) values ($1, $2, 'limit', $3, $4, $5, $6)`,
      [id, spine.projectId, name, slots, rate?.starts ?? null, rate?.seconds ?? null],
    );
    return { id, name };
  }
  const uses = (name: string, slots = 1): TaskFields => ({ limits: [{ kind: 'limit', name, slots }] });
  const start = async (tasks: Record<string, TaskFields>, poolName = pool.name) =>
    replica.startRun(await spine.addWorkflow(poolName, tasks), spine.projectId);
  const many = (count: number, fields: TaskFields) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, fields]));
  const placed = async (runId: string) =>
    (await spine.attempts(runId)).filter(({ state }) => state === 'dispatched' || state === 'running').length;
  const held = async (limitId: string) => {
    const [row] = await spine.sql.query<{ slots: number }>(
      'select coalesce(sum(slots), 0)::int as slots from limit_holders where limit_id = $1 and freed_at is null',
      [limitId],
    );
    return row!.slots;
  };
  const age = (seconds: number, runId: string) =>
    spine.sql.query(`update task_runs set ready_at = ready_at - make_interval(secs => $1) where run_id = $2`, [seconds, runId]);

  it('are held from placement to the end of the attempt, and the decisions replay', async () => {
    const limit = await addLimit(2);
    const runId = await start(many(3, uses(limit.name)));
    const running = await replica.runReady(runId);
    expect([await placed(runId), await held(limit.id)]).toEqual([2, 2]);
    await replica.end([{ attemptId: [...running.values()][0]!.id }]);
    expect(await held(limit.id)).toBe(1);
    await replica.place();
    expect(await held(limit.id)).toBe(2);
    for (const { id } of await spine.attempts(runId))
      expect((await replayPlacement(spine.sql, new PlacementEngine(), id)).identical).toBe(true);
  });

  it('tell who holds them to those who wait, as text and as values', async () => {
    const limit = await addLimit(1);
    const holder = await start({ train: uses(limit.name) });
    await replica.place();
    const runId = await start({ wait: uses(limit.name) });
    await age(2, runId);
    await replica.place();
    const [wait] = await spine.sql.query<{ text: string; values: { limits: unknown[] } }>(
      `select p.text, p."values" from placement_waits p join task_runs t on t.pool_id = p.pool_id and t.shape_hash = p.shape_hash where t.run_id = $1`,
      [runId],
    );
    expect(wait!.text).toMatch(new RegExp(`^limit ${limit.name} full: 1 of 1, held by workflow-\\d+/train \\(run ${holder.slice(-8)}\\)$`));
    expect(wait!.values.limits).toMatchObject([{ id: limit.id, slots: 1, taken: 1, asks: 1, holders: [{ runId: holder, task: 'train' }] }]);
    expect((await spine.taskStates(runId)).wait).toBe('blocked');
  });

  it('are never exceeded by two servers that place in two pools at once, while attempts end', async () => {
    const limit = await addLimit(7);
    const second = await spine.addPool();
    await spine.addNode(second.id);
    const runs = [await start(many(30, uses(limit.name))), await start(many(15, uses(limit.name, 2)), second.name)];
    let most = 0;
    for (let round = 0; round < 60; round++) {
      await Promise.all([replica.passes.place.run(), other.passes.place.run()]);
      most = Math.max(most, await held(limit.id));
      const live = (await Promise.all(runs.map((id) => spine.attempts(id)))).flat().filter(({ state }) => state === 'dispatched');
      const ending = live.filter((_, index) => index % 2 === round % 2);
      await Promise.all(ending.map((attempt, index) => (index % 2 ? replica : other).claim(attempt)));
      await Promise.all([
        replica.end(ending.filter((_, index) => index % 2 === 0).map(({ id }) => ({ attemptId: id }))),
        other.end(ending.filter((_, index) => index % 2 === 1).map(({ id }) => ({ attemptId: id }))),
        replica.passes.place.run(),
      ]);
      most = Math.max(most, await held(limit.id));
      if ((await Promise.all(runs.map((id) => spine.run(id)))).every(({ state }) => state === 'succeeded')) break;
    }
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(7);
    for (const id of runs) expect((await spine.run(id)).state).toBe('succeeded');
  });

  it('are free again when an attempt is lost, withdrawn or cancelled before and after its start', async () => {
    const limit = await addLimit(1);
    const first = await start({
      a: { ...uses(limit.name), retry: { attempts: 1, delaySeconds: 0, backoff: 'fixed', maxDelaySeconds: 0 } },
    });
    await replica.runReady(first);
    await replica.cancel(first);
    expect(await held(limit.id), 'it may still run').toBe(1);
    await replica.end([{ attemptId: (await spine.attempt(first, 'a')).id, outcome: 'cancelled' }]);
    expect(await held(limit.id)).toBe(0);

    const second = await start({ a: uses(limit.name) });
    await replica.place();
    await replica.cancel(second);
    expect(await held(limit.id)).toBe(0);

    const third = await start({ a: uses(limit.name) });
    await replica.place();
    await spine.sql.query(`update attempts set send_no = 1000, next_send_at = clock_timestamp() - interval '1 second' where run_id = $1`, [
      third,
    ]);
    await replica.passes.relay.run();
    expect(await held(limit.id)).toBe(0);
    await replica.runReady(third);
    await replica.end([{ attemptId: (await spine.attempt(third, 'a')).id, outcome: 'lost' }]);
    expect(await held(limit.id)).toBe(0);
  });

  it('that were left held by an attempt which has ended are freed by the reconcile pass', async () => {
    const limit = await addLimit(1);
    const runId = await start({ a: uses(limit.name) });
    await replica.runReady(runId);
    await replica.end([{ attemptId: (await spine.attempt(runId, 'a')).id }]);
    await spine.damage('update limit_holders set freed_at = null where limit_id = $1', [limit.id]);
    await other.passes.reconcile.run();
    expect(await held(limit.id)).toBe(0);
  });

  it('keep nothing of a turn that was not written: the next server finds them free', async () => {
    const limit = await addLimit(1);
    const runId = await start({ a: { ...uses(limit.name), cpuMillis: 1000 } });
    const dying = await spine.replica({
      beforePlacing: async () => {
        throw new Error('killed between snapshot and writing');
      },
    });
    await dying.passes.place.run();
    expect([await held(limit.id), await placed(runId)]).toEqual([0, 0]);
    await other.place();
    expect(await held(limit.id)).toBe(1);
  });

  it('never hide work that takes none, nor that of another project, behind a backlog', async () => {
    const limit = await addLimit(1);
    await start(many(20, uses(limit.name)));
    const free = await start({ a: { priority: -1000 } });
    await replica.place();
    expect(await placed(free)).toBe(1);
  });

  it('with more slots let waiting work go, with fewer kill nothing', async () => {
    const limit = await addLimit(3);
    const runId = await start(many(5, uses(limit.name)));
    await replica.place();
    await spine.sql.query('update limits set slots = 1 where id = $1', [limit.id]);
    await replica.place();
    expect(await placed(runId)).toBe(3);
    await spine.sql.query('update limits set slots = 5 where id = $1', [limit.id]);
    await other.place();
    expect(await placed(runId)).toBe(5);
  });

  it('of several kinds are taken together, however tasks name them: no two wait for each other', async () => {
    const [a, b] = [await addLimit(1), await addLimit(1)];
    const both = (...named: string[]): TaskFields => ({ limits: named.map((name) => ({ kind: 'limit' as const, name, slots: 1 })) });
    const runId = await start({ x: both(a.name, b.name), y: both(b.name, a.name) });
    for (const each of [replica, other]) {
      await each.runReady(runId);
      const [live] = (await spine.attempts(runId)).filter(({ state }) => state === 'running');
      await each.end([{ attemptId: live!.id }]);
    }
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('of one are mutexes, made by their first use and the same for every workflow of a project', async () => {
    const mutex: TaskFields = { limits: [{ kind: 'mutex', name: 'warehouse', slots: 1 }] };
    const runs = [await start({ a: mutex }), await start({ b: mutex })];
    await replica.place();
    expect(await Promise.all(runs.map(placed))).toEqual([1, 0]);
    expect(await spine.sql.query(`select kind, slots from limits where name = 'warehouse'`)).toEqual([{ kind: 'mutex', slots: 1 }]);
  });

  it('with a rate allow so many starts in a window, and the pass asks to be woken for the next', async () => {
    const limit = await addLimit(null, { starts: 2, seconds: 3600 });
    const runId = await start(many(4, uses(limit.name)));
    const running = await replica.runReady(runId);
    await replica.end([...running.values()].filter(({ state }) => state === 'dispatched').map(({ id }) => ({ attemptId: id })));
    await age(2, runId);
    await replica.place();
    expect(await placed(runId)).toBe(0);
    expect((await spine.taskRuns(runId)).get('t3')!.reason).toMatchObject({ code: 'limit-rate' });
    await spine.sql.query(`update limit_holders set taken_at = taken_at - interval '3599 seconds' where limit_id = $1`, [limit.id]);
    expect((await replica.passes.place.run()).wakeInMs).toBeLessThanOrEqual(1000);
    await spine.sql.query(`update limit_holders set taken_at = taken_at - interval '2 seconds' where limit_id = $1`, [limit.id]);
    await other.place();
    expect(await placed(runId)).toBe(2);
  });

  it('hold a project to its quota of cores and of running tasks, whatever ran before it was set', async () => {
    const runId = await start(many(4, { cpuMillis: 1000 }));
    await spine.sql.query('update pools set policy = $2 where id = $1', [pool.id, JSON.stringify({ selector: 'random' })]);
    const setQuota = (cpuMillis: number | null, attempts: number | null) =>
      spine.sql.query(
        `insert into project_quotas (project_id, cpu_millis, attempts) values ($1, $2, $3) on conflict (project_id) do update set cpu_millis = $2, attempts = $3`,
        [spine.projectId, cpuMillis, attempts],
      );
    await setQuota(2000, null);
    await replica.place();
    expect(await placed(runId)).toBe(2);
    await setQuota(null, 3);
    await other.place();
    expect(await placed(runId)).toBe(3);
    await setQuota(1000, 1);
    const more = await start({ a: { cpuMillis: 1000 } });
    await age(2, more);
    await replica.place();
    expect(await placed(more)).toBe(0);
    expect((await spine.taskRuns(more)).get('a')!.reason).toMatchObject({ code: 'limit-full' });
  });

  it('whose task has waited a minute in another pool are left to it', async () => {
    const limit = await addLimit(2);
    const second = await spine.addPool();
    await spine.addNode(second.id);
    const running = await start({ a: uses(limit.name) });
    await replica.runReady(running);
    const large = await start({ large: uses(limit.name, 2) }, second.name);
    await age(120, large);
    await replica.place();
    const small = await start({ small: uses(limit.name) });
    await replica.place();
    expect(await placed(small)).toBe(0);
    await replica.end([{ attemptId: (await spine.attempt(running, 'a')).id }]);
    await other.place();
    expect([await placed(large), await placed(small)]).toEqual([1, 0]);
  });

  it('are not left to a task of another pool that asks for more than another of its limits has: it can never take them', async () => {
    const [free, little] = [await addLimit(1), await addLimit(1)];
    const second = await spine.addPool();
    await spine.addNode(second.id);
    const limits = [...uses(free.name).limits!, ...uses(little.name, 2).limits!];
    const impossible = await start({ a: { limits } }, second.name);
    await age(120, impossible);
    await replica.place();
    expect((await spine.taskRuns(impossible)).get('a')).toMatchObject({ state: 'blocked', reason: { code: 'limit-full' } });
    const other = await start({ a: uses(free.name) });
    await replica.place();
    expect([await placed(impossible), await placed(other)]).toEqual([0, 1]);
  });
});

describe('the order of placement', () => {
  it('is that of its index: a backlog is never sorted', async () => {
    const spine = await Spine.open(inject('postgresUrl'));
    try {
      const plan = await spine.inTransaction(async (sql) => {
        await sql.query('set local enable_seqscan = off');
        return sql.query<{ 'QUERY PLAN': string }>(
          `explain select * from task_runs where pool_id = $1 and shape_hash = 'x' and state in ('ready', 'blocked') ${placeableOrder} limit 5`,
          [uuidv7()],
        );
      });
      const text = plan.map((row) => row['QUERY PLAN']).join(' ');
      expect(text).toContain('task_runs_placeable');
      expect(text).not.toContain('Sort');
    } finally {
      await spine.close();
    }
  });
});
