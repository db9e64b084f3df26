import type { Claim } from '@medley/contracts';
import { uuidv7 } from '@medley/database';
import { NEVER } from 'rxjs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { replayPlacement } from '../attempts/placement-view.js';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import { claimOf, type Replica } from '../testing/replica.fixture.js';
import { type AttemptRow, Spine } from '../testing/spine.fixture.js';

describe('prefetch', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };
  let nodeId: string;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
  });
  beforeEach(async () => {
    pool = await spine.addPool({ selector: 'random', prefetch: 2 });
    nodeId = await spine.addNode(pool.id, { cpuMillis: 1000 });
  });
  afterEach(async () => {
    await expectInvariants(spine);
    const left = await spine.sql.query<{ id: string }>(`select id from runs where state in ('queued', 'running')`);
    for (const { id } of left) await replica.cancel(id);
    await expectInvariants(spine);
  });
  afterAll(() => spine.close());

  /** A run of tasks that fill a node each, t0 first; `seconds` is what was learned of them. */
  async function start(count: number, seconds: number | null = 0.2): Promise<string> {
    const tasks = Array.from({ length: count }, (_, index) => [`t${index}`, { cpuMillis: 1000, priority: -index }]);
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, Object.fromEntries(tasks)), spine.projectId);
    await spine.sql.query('update task_runs set expected_seconds = $2 where run_id = $1', [runId, seconds]);
    return runId;
  }

  /** t0 runs on the node, t1 and t2 were prefetched to it. */
  async function saturated(count = 3): Promise<{ runId: string; attempt: (key: string) => Promise<AttemptRow> }> {
    const runId = await start(count);
    await replica.place();
    await replica.claim(await spine.attempt(runId, 't0'));
    return { runId, attempt: (key) => spine.attempt(runId, key) };
  }

  const sentAhead = async (runId: string) => (await spine.attempts(runId)).filter((each) => each.prefetched && each.state === 'dispatched');
  const open = (id: string) => spine.sql.query(`select state from reservations where attempt_id = $1 and state <> 'released'`, [id]);

  it('sends short tasks ahead of their room, as many as the policy allows, in order and without a reservation', async () => {
    const { runId } = await saturated(5);
    const ahead = await sentAhead(runId);
    expect(ahead.map(({ task_key, node_id, fence }) => [task_key, node_id, fence])).toEqual([
      ['t1', nodeId, 1],
      ['t2', nodeId, 1],
    ]);
    for (const { id } of ahead) expect(await open(id)).toEqual([]);
    expect((await spine.taskStates(runId)).t3).toBe('ready');
    const engine = new PlacementEngine();
    for (const { id } of ahead) {
      const { identical, stored } = await replayPlacement(spine.sql, engine, id);
      expect([identical, stored.kind]).toEqual([true, 'prefetch']);
    }
  });

  it('sends nothing ahead to wait behind what is not known to be short, nor what is not known to be short itself', async () => {
    const runId = await start(2, null);
    await replica.place();
    await replica.claim(await spine.attempt(runId, 't0'));
    await spine.sql.query(`update task_runs set expected_seconds = 0.2 where run_id = $1 and task_key = 't1'`, [runId]);
    await replica.place();
    expect(await sentAhead(runId)).toEqual([]);
    await spine.sql.query(`update task_runs set expected_seconds = case task_key when 't0' then 0.2 end where run_id = $1`, [runId]);
    await replica.place();
    expect(await sentAhead(runId)).toEqual([]);
  });

  it('sends nothing ahead where the pool has prefetch 0, or to an agent that does not know of it', async () => {
    await spine.sql.query(`update pools set policy = '{"selector": "random", "prefetch": 0}' where id = $1`, [pool.id]);
    const { runId } = await saturated();
    expect(await sentAhead(runId)).toEqual([]);
    await spine.sql.query(`update pools set policy = '{"selector": "random"}' where id = $1`, [pool.id]);
    await spine.sql.query('update nodes set protocol = 1 where id = $1', [nodeId]);
    await replica.place();
    expect(await sentAhead(runId)).toEqual([]);
    await spine.sql.query('update nodes set protocol = 2 where id = $1', [nodeId]);
    await replica.place();
    expect(await sentAhead(runId)).toHaveLength(2);
  });

  it('answers a claim without room with "no room yet", and grants it with its reservation once something has ended', async () => {
    const { attempt } = await saturated();
    const [running, ahead] = [await attempt('t0'), await attempt('t1')];
    const claim: Claim = { ...claimOf(ahead), claimId: uuidv7() };
    expect(await replica.claim(ahead, claim)).toMatchObject({ granted: false, noRoom: true });
    expect(await attempt('t1')).toMatchObject({ state: 'dispatched', claim_id: null });
    await replica.end([{ attemptId: running.id }]);
    expect(await replica.claim(ahead, claim)).toMatchObject({ granted: true });
    expect(await open(ahead.id)).toEqual([{ state: 'held' }]);
    expect(await replica.claim(ahead, claim)).toMatchObject({ granted: true }); // the answer was lost
    expect(await replica.claim(ahead, { claimId: uuidv7() })).toMatchObject({ granted: false });
    expect(await replica.claim(await attempt('t2'))).toMatchObject({ noRoom: true });
  });

  it('refuses a claim of it that does not say so, instead of starting it beyond what the node has', async () => {
    const { attempt } = await saturated();
    const result = await replica.claim(await attempt('t1'), { prefetched: undefined });
    expect(result).toMatchObject({ granted: false });
    expect(result).not.toHaveProperty('noRoom');
  });

  it('grants as many as there is room for when claims race on two servers, with each other and with a turn', async () => {
    const other = await spine.replica();
    const { runId, attempt } = await saturated(6);
    for (const running of ['t0', 't1', 't2']) {
      await replica.end([{ attemptId: (await attempt(running)).id }]);
      const ahead = await sentAhead(runId);
      expect(ahead).not.toEqual([]);
      const results = await Promise.all([
        ...ahead.map((each, index) => [replica, other][index % 2]!.claim(each)),
        other.passes.place.run(),
      ]);
      expect(results.filter((result) => 'granted' in result && result.granted)).toHaveLength(1);
      await expectInvariants(spine);
      const started = (await spine.attempts(runId)).filter(({ state }) => state === 'running').map(({ task_key }) => task_key);
      expect(started).toHaveLength(1);
      if (started[0] !== `t${Number(running[1]) + 1}`) break; // the second of the backlog was quicker
    }
  });

  it('keeps the room that becomes free for what waits there, also when a turn comes first', async () => {
    const { runId, attempt } = await saturated(4);
    await replica.end([{ attemptId: (await attempt('t0')).id }]);
    await replica.place();
    expect((await spine.taskStates(runId)).t3).toBe('ready');
    expect(await replica.claim(await attempt('t1'))).toMatchObject({ granted: true });
  });

  it('takes back what found no room in time, without costing a try; its message is refused', async () => {
    const { runId, attempt } = await saturated();
    const ahead = await attempt('t1');
    await replica.passes.relay.run();
    expect((await attempt('t1')).state).toBe('dispatched');
    await spine.sql.query('update attempts set next_send_at = clock_timestamp() where id = $1', [ahead.id]);
    await replica.passes.relay.run();
    expect(await attempt('t1')).toMatchObject({ id: ahead.id, state: 'lost', send_no: 1 });
    expect((await spine.taskRuns(runId)).get('t1')).toMatchObject({ state: 'ready', tries: 0, lost_count: 0, avoid_node_ids: [] });
    expect(await replica.claim(ahead)).toMatchObject({ granted: false });
    await replica.place();
    expect(await attempt('t1')).toMatchObject({ state: 'dispatched', fence: 2 });
    expect(await replica.claim(ahead)).not.toHaveProperty('noRoom');
  });

  it.each(['cordoned = true', 'draining = true', `state = 'unreachable'`])('takes it back from a node with %s', async (change) => {
    const { runId, attempt } = await saturated();
    const ahead = await attempt('t1');
    await spine.sql.query(`update nodes set ${change} where id = $1`, [nodeId]);
    await replica.end([{ attemptId: (await attempt('t0')).id }]);
    expect(await replica.claim(ahead)).toMatchObject({ granted: false, noRoom: true });
    await replica.passes.relay.run();
    await replica.place();
    expect(await sentAhead(runId)).toEqual([]);
    const elsewhere = await spine.addNode(pool.id, { cpuMillis: 1000 });
    await replica.place();
    expect(await attempt('t1')).toMatchObject({ node_id: elsewhere, state: 'dispatched', fence: 2 });
  });

  it('moves it to another node that has room and nothing else to do, with the next fence and a reservation there', async () => {
    const { runId, attempt } = await saturated();
    const ahead = await attempt('t1');
    const elsewhere = await spine.addNode(pool.id, { cpuMillis: 1000 });
    await replica.place();
    const moved = await attempt('t1');
    expect(moved).toMatchObject({ node_id: elsewhere, fence: 2, state: 'dispatched', prefetched: false });
    expect(await open(moved.id)).toEqual([{ state: 'held' }]);
    expect((await replayPlacement(spine.sql, new PlacementEngine(), moved.id)).identical).toBe(true);
    expect((await spine.taskRuns(runId)).get('t1')).toMatchObject({ tries: 0, lost_count: 0 });
    expect(await replica.claim(ahead)).toMatchObject({ granted: false });
    expect(await replica.claim(moved)).toMatchObject({ granted: true });
    expect(await attempt('t2')).toMatchObject({ node_id: nodeId, fence: 1, prefetched: true });
  });

  it('either moves or claims when both happen at once', async () => {
    const { attempt } = await saturated();
    const [running, ahead] = [await attempt('t0'), await attempt('t1')];
    await spine.addNode(pool.id, { cpuMillis: 1000 });
    const [claimed] = await Promise.all([replica.end([{ attemptId: running.id }]).then(() => replica.claim(ahead)), replica.place()]);
    const now = await attempt('t1');
    expect([now.id === ahead.id, now.state]).toEqual(claimed.granted ? [true, 'running'] : [false, 'dispatched']);
  });

  it('is handed out by the long poll with the room it awaits, and not again with each poll', async () => {
    const { runId } = await saturated(2);
    const [ahead] = await sentAhead(runId);
    const awaits = { cpuMillis: 1000, memoryMib: 0, diskMib: 0, gpuCount: 0 };
    const first = await replica.work.wait(nodeId, 0, NEVER);
    expect(first.dispatches).toEqual([{ taskRunId: ahead!.task_run_id, attemptId: ahead!.id, fence: 1, sendNo: 1, awaits }]);
    expect((await replica.work.wait(nodeId, 0, NEVER)).dispatches).toEqual([]);
    await spine.sql.query('update attempts set pull_from = clock_timestamp() where id = $1', [ahead!.id]);
    expect((await replica.work.wait(nodeId, 0, NEVER)).dispatches).toHaveLength(1);
  });
});
