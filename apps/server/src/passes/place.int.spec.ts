import { type PlacementTurnInput, placeTurn } from '@medley/core';
import { waitFor } from '@medley/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';
import { placementLockOf } from './place.pass.js';

const many = (count: number, fields: TaskFields, prefix = 't'): Record<string, TaskFields> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, fields]));

describe('the place pass', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
  });
  beforeEach(async () => {
    pool = await spine.addPool();
  });
  afterEach(async () => {
    await expectInvariants(spine);
    const left = await spine.sql.query<{ id: string }>(`select id from runs where state in ('queued', 'running')`);
    for (const { id } of left) await replica.cancel(id);
  });
  afterAll(() => spine.close());

  const start = async (tasks: Record<string, TaskFields>, poolName = pool.name) =>
    replica.startRun(await spine.addWorkflow(poolName, tasks), spine.projectId);
  const age = (runId: string) =>
    spine.sql.query(`update task_runs set ready_at = ready_at - interval '2 seconds' where run_id = $1`, [runId]);
  const countStates = async (runId: string) => {
    const counts: Record<string, number> = {};
    for (const state of Object.values(await spine.taskStates(runId))) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  };
  /** What waits counts as `ready`: on a busy machine it may be marked as blocked by now. */
  const countPlaced = async (runId: string) => {
    const { blocked = 0, ready = 0, ...counts } = await countStates(runId);
    return { ...counts, ready: ready + blocked };
  };

  it('places as much as fits, each with a fence one higher, and no more', async () => {
    await spine.addNode(pool.id, { cpuMillis: 2500 });
    await spine.addNode(pool.id, { cpuMillis: 1000 });
    const runId = await start(many(5, { cpuMillis: 1000 }));
    await replica.place();
    expect(await countPlaced(runId)).toEqual({ dispatched: 3, ready: 2 });
    for (const { fence } of await spine.attempts(runId)) expect(fence).toBe(1);
  });

  it('places each task once and never above capacity when two servers place at the same time', async () => {
    const other = await spine.replica();
    for (let count = 0; count < 3; count++) await spine.addNode(pool.id, { cpuMillis: 40_000 });
    const runId = await start(many(200, { cpuMillis: 1000 }));
    const both = async (each: Replica) => {
      for (let turn = 0; turn < 8; turn++) await each.passes.place.run();
    };
    await Promise.all([both(replica), both(other)]);
    expect(await countPlaced(runId)).toEqual({ dispatched: 120, ready: 80 });
    expect(await spine.attempts(runId)).toHaveLength(120);
    await expectInvariants(spine);

    const running = await replica.claimAll(runId);
    const half = [...running.values()].slice(0, 60).map(({ id }) => ({ attemptId: id }));
    await Promise.all([replica.end(half.slice(0, 30)), other.end(half.slice(30)), both(replica), both(other)]);
    await replica.place();
    expect(await countPlaced(runId)).toEqual({ succeeded: 60, running: 60, dispatched: 60, ready: 20 });
  });

  it('stores turns that replay to the identical decisions', async () => {
    const pools: string[] = [];
    for (const [index, policy] of [
      { selector: 'resource-pick-kx', k: 1 },
      { selector: 'smooth-weighted-round-robin' },
      { selector: 'earliest-finish' },
      { selector: 'random' },
    ].entries()) {
      const each = await spine.addPool(policy);
      pools.push(each.id);
      for (const speed of [0.5, 1, 3.3]) await spine.addNode(each.id, { cpuMillis: 20_000, declaredSpeed: speed });
      for (let round = 0; round < 2; round++) {
        await start(many(12, { cpuMillis: 1000 }, `p${index}`), each.name);
        await replica.place();
      }
    }
    const turns = await spine.sql.query<{ id: string; input: PlacementTurnInput; decisions: unknown[] }>(
      `select t.id, t.input, json_agg(json_build_object('task', a.task_run_id, 'node', a.node_id, 'decision', d.decision) order by d.ordinal) as decisions
       from placement_turns t join placement_decisions d on d.turn_id = t.id join attempts a on a.id = d.attempt_id
       where t.pool_id = any($1) group by t.id`,
      [pools],
    );
    expect(turns).toHaveLength(8);
    for (const { input, decisions } of turns) {
      const replayed = placeTurn(input).placements.map(({ taskRunId, nodeId, decision }) => ({ task: taskRunId, node: nodeId, decision }));
      expect(JSON.parse(JSON.stringify(replayed))).toEqual(decisions);
    }
  });

  it('goes on in the next turn where time ended one, and stores what replays', async () => {
    await spine.addNode(pool.id, { cpuMillis: 5000 });
    const runId = await start(many(6, { cpuMillis: 1000 }));
    let asked = 0;
    const slow = await spine.replica({ isTimeOver: () => ++asked % 2 === 0 });
    expect((await slow.passes.place.run()).again).toBe(true);
    expect(await countPlaced(runId)).toEqual({ dispatched: 2, ready: 4 });
    await slow.place();
    expect(await countPlaced(runId)).toEqual({ dispatched: 5, ready: 1 });
    const turns = await spine.sql.query<{ input: PlacementTurnInput; placed: string[] }>(
      `select t.input, array_agg(a.task_run_id::text order by d.ordinal) as placed
       from placement_turns t join placement_decisions d on d.turn_id = t.id join attempts a on a.id = d.attempt_id where t.pool_id = $1 group by t.id`,
      [pool.id],
    );
    expect(turns.length).toBeGreaterThan(1);
    for (const { input, placed } of turns) expect(placeTurn(input).placements.map(({ taskRunId }) => taskRunId)).toEqual(placed);
  });

  it('keeps the state of smooth weighted round robin between turns: 5, 1, 1 gives a a b a c a a', async () => {
    const each = await spine.addPool({ selector: 'smooth-weighted-round-robin' });
    const names = new Map<string, string>();
    for (const [name, speed] of [
      ['a', 5],
      ['b', 1],
      ['c', 1],
    ] as const)
      names.set(await spine.addNode(each.id, { name, declaredSpeed: speed }), name);
    let sequence = '';
    for (let pick = 0; pick < 14; pick++) {
      const runId = await start({ task: {} }, each.name);
      await replica.place();
      sequence += names.get((await spine.attempt(runId, 'task')).node_id);
    }
    expect(sequence).toBe('aabacaaaabacaa');
    const [stored] = await spine.sql.query<{ selector_state: Record<string, Record<string, { currentWeight: number }>> }>(
      'select selector_state from pools where id = $1',
      [each.id],
    );
    const weights = Object.values(stored!.selector_state).flatMap((entries) => Object.values(entries).map((entry) => entry.currentWeight));
    expect(weights).toEqual([0, 0, 0]);
  });

  it('gives a node that loses attempts fewer for a while, and takes each loss into account once', async () => {
    const each = await spine.addPool({ selector: 'smooth-weighted-round-robin' });
    const lossy = await spine.addNode(each.id);
    await spine.addNode(each.id);
    const first = await start(many(4, {}), each.name);
    const attempts = await replica.runReady(first);
    const lost = [...attempts.values()]
      .filter(({ node_id }) => node_id === lossy)
      .map(({ id }) => ({ attemptId: id, outcome: 'lost' as const }));
    await replica.end(lost);
    const failures = async () =>
      (await spine.sql.query<{ failures: number }>('select failures from node_usage where node_id = $1', [lossy]))[0]!.failures;
    expect(await failures()).toBe(2);
    await replica.place();
    expect(await failures()).toBe(0);
    const second = await start(many(12, {}), each.name);
    await replica.place();
    const onLossy = (await spine.attempts(second)).filter(({ node_id }) => node_id === lossy).length;
    expect(onLossy).toBeLessThan(6);
    expect(onLossy).toBeGreaterThan(0);
  });

  it('locks the counters of placements and of losses together, in their order', async () => {
    const each = await spine.addPool({ selector: 'smooth-weighted-round-robin' });
    const [low, high] = [await spine.addNode(each.id), await spine.addNode(each.id)];
    await spine.sql.query('update node_usage set failures = 1 where node_id = $1', [low]);
    await spine.sql.query('update nodes set cordoned = true where id = $1', [low]);
    const runId = await start({ task: {} }, each.name);
    const held = await spine.hold('select node_id from node_usage where node_id = $1 for update', [low]);
    const placing = replica.passes.place.run();
    await waitFor(async () => (await spine.waitingForLocks()) > 0);
    await held.query('select node_id from node_usage where node_id = $1 for update nowait', [high]);
    await held.release();
    await placing;
    expect(await spine.attempt(runId, 'task')).toMatchObject({ state: 'dispatched', node_id: high });
    expect(await spine.sql.query('select failures from node_usage where node_id = $1', [low])).toEqual([{ failures: 0 }]);
  });

  it('counts no more losses than can matter where no selector takes them off', async () => {
    const nodeId = await spine.addNode(pool.id);
    const runId = await start(many(40, {}));
    const attempts = await replica.runReady(runId);
    await replica.end([...attempts.values()].map(({ id }) => ({ attemptId: id, outcome: 'lost' as const })));
    expect(await spine.sql.query('select failures from node_usage where node_id = $1', [nodeId])).toEqual([{ failures: 30 }]);
  });

  it('tells why work waits after a second, and places it when room comes', async () => {
    const nodeId = await spine.addNode(pool.id, { cpuMillis: 1000 });
    const runId = await start(many(2, { cpuMillis: 1000 }));
    await replica.place();
    expect(await countStates(runId)).toEqual({ dispatched: 1, ready: 1 });

    await age(runId);
    const changed: string[] = [];
    replica.bus.changes.subscribe((events) => changed.push(...events.map(({ id }) => id)));
    await replica.place();
    const waiting = [...(await spine.taskRuns(runId)).values()].find(({ state }) => state === 'blocked')!;
    expect(waiting.reason).toMatchObject({ code: 'no-capacity', text: expect.stringContaining('full') });
    expect(changed).toContain(runId);

    const [running] = [...(await replica.claimAll(runId)).values()];
    await replica.end([{ attemptId: running!.id }]);
    await replica.place();
    expect(await spine.attempt(runId, waiting.task_key)).toMatchObject({ state: 'dispatched', node_id: nodeId });
    expect((await spine.taskRuns(runId)).get(waiting.task_key)!.reason).toBeNull();
  });

  it('keeps telling what is in the way now, also when the kind of reason stays the same', async () => {
    await spine.addNode(pool.id, { cpuMillis: 1000 });
    const runId = await start(many(2, { cpuMillis: 1000 }));
    await replica.place();
    await age(runId);
    await replica.place();
    const told = async () =>
      (await spine.sql.query<{ text: string }>('select text from placement_waits where pool_id = $1', [pool.id]))[0]!.text;
    const before = await told();
    const second = await spine.addNode(pool.id, { cpuMillis: 1000 });
    await spine.sql.query('update node_usage set cpu_millis = 1000 where node_id = $1', [second]);
    await replica.place();
    expect(await told()).not.toBe(before);
    await spine.sql.query('update node_usage set cpu_millis = 0 where node_id = $1', [second]);
  });

  it('announces a wait only when it is committed', async () => {
    await spine.addNode(pool.id, { cpuMillis: 1000 });
    const runId = await start(many(2, { cpuMillis: 1000 }));
    await replica.place();
    await age(runId);
    await spine.sql.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'the commit fails'; end $$`);
    await spine.sql.query(
      'create constraint trigger refuse after update on task_runs deferrable initially deferred for each row execute function refuse()',
    );
    const changed: string[] = [];
    replica.bus.changes.subscribe((events) => changed.push(...events.map(({ id }) => id)));
    await replica.passes.place.run();
    expect(await countStates(runId)).toEqual({ dispatched: 1, ready: 1 });
    expect(changed).toEqual([]);

    await spine.sql.query('drop trigger refuse on task_runs');
    await replica.passes.place.run();
    expect(changed).toEqual([runId]);
  });

  it('lets work wait without end where no node is, and changes the reason when one comes that is down', async () => {
    const runId = await start({ task: {} });
    await age(runId);
    await replica.place();
    expect((await spine.taskRuns(runId)).get('task')).toMatchObject({ state: 'blocked', reason: { code: 'no-node' } });
    const nodeId = await spine.addNode(pool.id, { state: 'offline' });
    await replica.place();
    expect((await spine.taskRuns(runId)).get('task')).toMatchObject({ state: 'blocked', reason: { code: 'no-eligible-node' } });
    await spine.sql.query(`update nodes set state = 'online' where id = $1`, [nodeId]);
    await replica.place();
    expect(await spine.taskStates(runId)).toEqual({ task: 'dispatched' });
  });

  it('fails what no node could ever hold at once, all of its kind, and skips what stands behind', async () => {
    await spine.addNode(pool.id, { cpuMillis: 1000 });
    const runId = await start({ ...many(700, { cpuMillis: 9000 }, 'huge'), behind: { needs: ['huge0'] }, small: { cpuMillis: 10 } });
    await replica.place();
    expect(await countStates(runId)).toEqual({ failed: 700, skipped: 1, dispatched: 1 });
    expect((await spine.taskRuns(runId)).get('huge699')!.reason).toMatchObject({ code: 'infeasible' });
    expect((await spine.taskRuns(runId)).get('behind')!.state).toBe('skipped');
  });

  it('does not let a backlog of one shape hide another', async () => {
    await spine.addNode(pool.id, { cpuMillis: 8000 });
    await start({ hog: { cpuMillis: 2000 } });
    await replica.place();
    const backlog = await start(many(5000, { cpuMillis: 7000, priority: 9 }));
    const runId = await start({ small: { cpuMillis: 1000 } });
    await replica.place();
    expect(await spine.taskStates(runId)).toEqual({ small: 'dispatched' });
    expect(await countPlaced(backlog)).toEqual({ ready: 5000 });
  });

  it('does not let a full pool, nor one whose turn fails, delay another', async () => {
    const full = await spine.addPool();
    await start(many(600, { cpuMillis: 10 }), full.name);
    const broken = await spine.addPool({ selector: 'no-such-selector' });
    await spine.addNode(broken.id);
    await start({ task: {} }, broken.name);
    const good = await spine.addPool();
    await spine.addNode(good.id);
    const runId = await start({ task: {} }, good.name);
    await replica.passes.place.run();
    expect(await spine.taskStates(runId)).toEqual({ task: 'dispatched' });
  });

  it('asks to look again soon while another server places in the pool, and goes on with the next pool', async () => {
    await spine.addNode(pool.id);
    const runId = await start({ task: {} });
    const next = await spine.addPool();
    await spine.addNode(next.id);
    const runOfNext = await start({ task: {} }, next.name);
    const held = await spine.hold('select pg_advisory_xact_lock($1, $2)', placementLockOf(pool.id));
    expect((await replica.passes.place.run()).wakeInMs).toBeLessThan(100);
    expect(await spine.taskStates(runId)).toEqual({ task: 'ready' });
    expect(await spine.taskStates(runOfNext)).toEqual({ task: 'dispatched' });
    await held.release();
    await replica.place();
    expect(await spine.taskStates(runId)).toEqual({ task: 'dispatched' });
  });

  it('leaves alone what was cancelled since the snapshot', async () => {
    await spine.addNode(pool.id);
    const [cancelled, kept] = [await start(many(3, { cpuMillis: 10 })), await start(many(3, { cpuMillis: 10 }))];
    const late = await spine.replica({ beforePlacing: async () => void (await replica.cancel(cancelled)) });
    await late.passes.place.run();
    expect((await spine.run(cancelled)).state).toBe('cancelled');
    expect(await spine.attempts(cancelled)).toEqual([]);
    expect(await countStates(kept)).toEqual({ dispatched: 3 });
  });

  it('writes nothing of a turn that a node has no room for any more, and decides anew', async () => {
    const nodeId = await spine.addNode(pool.id, { cpuMillis: 4000 });
    const runId = await start(many(4, { cpuMillis: 1000 }));
    const shrink = () => spine.sql.query('update nodes set cpu_millis = 2000 where id = $1', [nodeId]);
    const late = await spine.replica({ beforePlacing: async () => void (await shrink()) });
    await late.passes.place.run();
    expect(await countPlaced(runId)).toEqual({ ready: 4 });
    await late.place();
    expect(await countPlaced(runId)).toEqual({ dispatched: 2, ready: 2 });
  });
});
