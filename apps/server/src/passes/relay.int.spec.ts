import type { Dispatch } from '@medley/contracts';
import { waitFor } from '@medley/testing';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { NEVER } from 'rxjs';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { attemptColumns, attemptFrom, attemptViewOf } from '../attempts/attempt-columns.js';
import { QUEUE_PREFIX, queueNameOf } from '../dispatch-queue/queue-user.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';

const MAX_SENDS = 3;

describe('the relay', () => {
  let spine: Spine;
  let redis: Redis;
  let queued: Replica;
  let pulling: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    redis = new Redis(inject('redisUrl')!);
    const env = { MEDLEY_RELAY_MAX_SENDS: String(MAX_SENDS) };
    [queued, pulling] = await Promise.all([spine.replica({ redisUrl: inject('redisUrl'), env }), spine.replica({ env })]);
    pool = await spine.addPool();
    await spine.addNode(pool.id);
    await spine.addNode(pool.id);
    await waitFor(() => queued.queues.usable);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(async () => {
    redis.disconnect();
    await spine.close();
  });

  async function dispatched(by: Replica) {
    const runId = await by.startRun(await spine.addWorkflow(pool.name, { task: {} }), spine.projectId);
    await by.place();
    return { runId, attempt: await spine.attempt(runId, 'task') };
  }

  /** Messages on the node's queue that speak of an attempt, in the order of their sending. */
  async function messages({ id, node_id }: { id: string; node_id: string }): Promise<Dispatch[]> {
    const queue = new Queue<Dispatch>(queueNameOf(node_id), { connection: redis, prefix: QUEUE_PREFIX });
    const jobs = await queue.getJobs(['waiting']);
    return jobs
      .map((job) => job.data)
      .filter((data) => data.attemptId === id)
      .sort((a, b) => a.sendNo - b.sendNo);
  }

  const makeDue = (attemptId: string) =>
    spine.sql.query(`update attempts set next_send_at = clock_timestamp() where id = $1 and next_send_at is not null`, [attemptId]);

  it('sends what was placed to the queue of its node, ids and fence only', async () => {
    const { attempt } = await dispatched(queued);
    const [message] = await waitFor(async () => (await messages(attempt)).length === 1 && messages(attempt));
    expect(message).toEqual({ taskRunId: attempt.task_run_id, attemptId: attempt.id, fence: 1, sendNo: 1 });
    expect(await queued.work.wait(attempt.node_id, 0, NEVER)).toMatchObject({ dispatches: [] });
  });

  it('sends an unclaimed one again under a higher number, leaves a claimed one alone', async () => {
    const { attempt } = await dispatched(queued);
    await waitFor(async () => (await messages(attempt)).length === 1);
    await makeDue(attempt.id);
    await queued.passes.relay.run();
    expect((await messages(attempt)).map(({ sendNo }) => sendNo)).toEqual([1, 2]);
    await queued.passes.relay.run(); // not due again yet
    expect(await messages(attempt)).toHaveLength(2);

    await queued.claim(attempt);
    await makeDue(attempt.id);
    await queued.passes.relay.run();
    expect(await messages(attempt)).toHaveLength(2);
  });

  it('takes back what was never claimed after the last send and places it anew, elsewhere, with the next fence', async () => {
    const { runId, attempt } = await dispatched(queued);
    for (let send = 1; send <= MAX_SENDS; send++) {
      expect(await spine.attempt(runId, 'task')).toMatchObject({ id: attempt.id, state: 'dispatched', send_no: send });
      await makeDue(attempt.id);
      await queued.passes.relay.run();
    }
    expect(await spine.attempt(runId, 'task')).toMatchObject({ state: 'lost' });
    expect((await spine.taskRuns(runId)).get('task')).toMatchObject({ state: 'ready', tries: 0, lost_count: 0 });
    expect((await queued.claim(attempt)).granted).toBe(false);
    await expectInvariants(spine);

    await queued.place();
    const anew = await spine.attempt(runId, 'task');
    expect(anew).toMatchObject({ state: 'dispatched', fence: attempt.fence + 1, send_no: 1 });
    expect(anew.node_id).not.toBe(attempt.node_id);
    expect((await queued.claim(attempt)).granted).toBe(false);
    expect((await queued.claim(anew)).granted).toBe(true);
  });

  it('numbers the next attempt one higher, while the task is told that it is still its first try', async () => {
    const { runId, attempt } = await dispatched(pulling);
    await spine.sql.query(`update attempts set send_no = $2, next_send_at = clock_timestamp() where id = $1`, [attempt.id, MAX_SENDS]);
    await pulling.passes.relay.run();
    await pulling.place();
    const claimed = await pulling.claim(await spine.attempt(runId, 'task'));
    expect(claimed).toMatchObject({ granted: true, work: { attemptNumber: 1 } });
    const rows = await spine.sql.query(`select ${attemptColumns} from ${attemptFrom} where a.run_id = $1 order by a.fence`, [runId]);
    expect(rows.map(attemptViewOf).map(({ number, state }) => [number, state])).toEqual([
      [1, 'lost'],
      [2, 'running'],
    ]);
  });

  it('also takes back what was sent more often than is allowed now', async () => {
    const { runId, attempt } = await dispatched(pulling);
    await spine.sql.query(`update attempts set send_no = $2, next_send_at = clock_timestamp() where id = $1`, [attempt.id, MAX_SENDS + 5]);
    await pulling.passes.relay.run();
    expect((await spine.attempt(runId, 'task')).state).toBe('lost');
  });

  it('either claims or takes back when both happen at once', async () => {
    for (let round = 0; round < 8; round++) {
      const { runId, attempt } = await dispatched(pulling);
      await spine.sql.query(`update attempts set send_no = $2, next_send_at = clock_timestamp() where id = $1`, [attempt.id, MAX_SENDS]);
      const [claimed] = await Promise.all([queued.claim(attempt), pulling.passes.relay.run()]);
      expect((await spine.attempt(runId, 'task')).state).toBe(claimed.granted ? 'running' : 'lost');
      await expectInvariants(spine);
    }
  });

  it('waits for no task run while it holds an attempt', async () => {
    const { attempt, runId } = await dispatched(pulling);
    await spine.sql.query(`update attempts set send_no = $2, next_send_at = clock_timestamp() where id = $1`, [attempt.id, MAX_SENDS]);
    const held = await spine.hold('select id from task_runs where id = $1 for update', [attempt.task_run_id]);
    await pulling.passes.relay.run();
    await held.query('select id from attempts where id = $1 for update nowait', [attempt.id]);
    await held.release();
    await pulling.passes.relay.run();
    expect((await spine.attempt(runId, 'task')).state).toBe('lost');
  });

  it('leaves work to the pull at once where there is no queue, and wakes the long poll of the node', async () => {
    const woken: string[] = [];
    pulling.bus.heard.subscribe((wake) => wake.topic === 'work' && woken.push(wake.nodeId));
    const { attempt } = await dispatched(pulling);
    await waitFor(() => woken.includes(attempt.node_id));
    expect((await pulling.work.wait(attempt.node_id, 0, NEVER)).dispatches).toContainEqual({
      taskRunId: attempt.task_run_id,
      attemptId: attempt.id,
      fence: 1,
      sendNo: 1,
    });
  });

  it('leaves to the pull what the queue has not had claimed by the second send', async () => {
    const { attempt } = await dispatched(queued);
    await makeDue(attempt.id);
    await queued.passes.relay.run();
    const { dispatches } = await queued.work.wait(attempt.node_id, 0, NEVER);
    expect(dispatches.map(({ attemptId, sendNo }) => [attemptId, sendNo])).toContainEqual([attempt.id, 2]);
  });

  it('shares what is due between two servers, each message once', async () => {
    const runs: Awaited<ReturnType<typeof dispatched>>[] = [];
    for (let count = 0; count < 10; count++) runs.push(await dispatched(pulling));
    for (const { attempt } of runs) await makeDue(attempt.id);
    const other = await spine.replica({ redisUrl: inject('redisUrl') });
    await waitFor(() => other.queues.usable);
    await Promise.all([queued.passes.relay.run(), other.passes.relay.run()]);
    for (const { attempt } of runs) expect((await messages(attempt)).map(({ sendNo }) => sendNo)).toEqual([2]);
  });
});
