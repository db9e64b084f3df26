import { uuidv7 } from '@medley/database';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { readBackfill } from '../backfills/backfill-rows.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine, type WorkflowRef } from '../testing/spine.fixture.js';

interface BackfillFields {
  days?: number;
  parallel?: number;
  on?: WorkflowRef;
}

describe('the backfill pass', () => {
  let spine: Spine;
  let replica: Replica;
  let other: Replica;
  let workflow: WorkflowRef;
  let userId: string;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    [replica, other] = [await spine.replica(), await spine.replica()];
    const pool = await spine.addPool();
    await spine.addNode(pool.id);
    workflow = await spine.addWorkflow(pool.name, { task: {} });
    userId = uuidv7();
    await spine.sql.query(`insert into users (id, name, password_hash, is_admin) values ($1, 'someone', 'none', true)`, [userId]);
  });
  afterEach(async () => {
    await expectInvariants(spine);
    await spine.sql.query('update backfills set finished_at = now() where finished_at is null');
  });
  afterAll(() => spine.close());

  /** A backfill of the first days of 2026 as the service writes it down. */
  async function backfill({ days = 4, parallel = 2, on = workflow }: BackfillFields = {}): Promise<string> {
    const [id, scheduleId] = [uuidv7(), uuidv7()];
    await spine.sql.query(
      `insert into schedules (id, project_id, workflow_id, name, cron, zone, enabled) values ($1, $2, $3, $4, '0 6 * * *', 'UTC', false)`,
      [scheduleId, spine.projectId, on.id, scheduleId],
    );
    await spine.sql.query(
      `insert into backfills (id, project_id, schedule_id, workflow_id, workflow_version, user_id, from_at, to_at, fires, direction, parallel, total)
       values ($1, $2, $3, $4, 1, $5, '2026-01-01', '2026-02-01', 'all', 'oldest-first', $6, $7)`,
      [id, spine.projectId, scheduleId, on.id, userId, parallel, days],
    );
    await spine.sql.query(
      `insert into backfill_fires (backfill_id, position, fire_at) select $1, n, timestamptz '2026-01-01 06:00Z' + n * interval '1 day' from generate_series(0, $2 - 1) n`,
      [id, days],
    );
    return id;
  }

  const runsOf = (id: string) =>
    spine.sql.query<{ id: string; state: string; day: string }>(
      `select id, state, to_char(fire_at at time zone 'UTC', 'YYYY-MM-DD') as day from runs where backfill_id = $1 order by fire_at`,
      [id],
    );
  const activeOf = async (id: string) => (await runsOf(id)).filter(({ state }) => !['succeeded', 'failed', 'cancelled'].includes(state));

  async function runAll(...replicas: Replica[]): Promise<void> {
    await Promise.all(
      replicas.map(async (each) => {
        for (let step = 0; step < 50; step++) if (!(await each.passes.backfill.run()).again) return;
      }),
    );
  }

  /** Ends the only task of each active run, or of the first `most`. */
  async function endActive(id: string, outcome: 'succeeded' | 'failed' = 'succeeded', most = 100): Promise<void> {
    await replica.place();
    for (const run of (await activeOf(id)).slice(0, most)) {
      const attempts = await replica.claimAll(run.id);
      await replica.end([...attempts.values()].map((attempt) => ({ attemptId: attempt.id, outcome })));
    }
  }

  it('starts one run for each of N dates on two servers, never more at a time than may run in parallel', async () => {
    const id = await backfill({ days: 11, parallel: 3 });
    const most: number[] = [];
    for (let round = 0; round < 5; round++) {
      await runAll(replica, other, replica, other);
      most.push((await activeOf(id)).length);
      await endActive(id);
    }
    expect(most).toEqual([3, 3, 3, 2, 0]);
    const runs = await runsOf(id);
    expect(runs.map(({ day }) => day)).toEqual(Array.from({ length: 11 }, (_, day) => `2026-01-${String(day + 1).padStart(2, '0')}`));
    expect(await readBackfill(spine.sql, id)).toMatchObject({
      state: 'finished',
      succeeded: 11,
      waiting: 0,
      finishedAt: expect.any(String),
    });
  });

  it('starts no more than ended runs have made room for, however many servers look at once', async () => {
    const id = await backfill({ days: 8, parallel: 3 });
    await Promise.all(Array.from({ length: 6 }, (_, turn) => (turn % 2 === 0 ? replica : other).passes.backfill.run()));
    await runAll(replica, other);
    expect(await activeOf(id)).toHaveLength(3);
    await endActive(id, 'succeeded', 1);
    await runAll(replica, other, replica, other);
    expect(await activeOf(id)).toHaveLength(3);
    expect(await runsOf(id)).toHaveLength(4);
  });

  it('makes N runs of N dates even when one fails (dolphinscheduler#11397)', async () => {
    const id = await backfill({ days: 3, parallel: 1 });
    await runAll(replica);
    await endActive(id, 'failed');
    await runAll(replica);
    await endActive(id);
    await runAll(replica);
    await endActive(id);
    await runAll(replica);
    expect((await runsOf(id)).map(({ state }) => state)).toEqual(['failed', 'succeeded', 'succeeded']);
    expect(await readBackfill(spine.sql, id)).toMatchObject({ state: 'finished', total: 3, succeeded: 2, failed: 1 });
  });

  it('stores dates whose run cannot be created as failed with the reason, each', async () => {
    const id = await backfill({ days: 3, parallel: 2, on: await spine.addWorkflow('no-such-pool', { task: {} }) });
    await runAll(replica);
    expect((await runsOf(id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    const [run] = await spine.sql.query<{ reason: { code: string }; trigger: string }>(
      'select reason, trigger from runs where backfill_id = $1 limit 1',
      [id],
    );
    expect(run).toMatchObject({ trigger: 'backfill', reason: { code: 'workflow-invalid' } });
    expect(await readBackfill(spine.sql, id)).toMatchObject({ state: 'finished', failed: 3 });
  });

  it('goes on on another server with what one that stopped has left', async () => {
    const id = await backfill({ days: 2, parallel: 1 });
    await runAll(await spine.replica()); // which then starts nothing more
    await endActive(id);
    await runAll(other);
    expect(await runsOf(id)).toHaveLength(2);
  });

  it('starts no run behind a cancel that came while it was about to, and ends when those under way have', async () => {
    const id = await backfill({ days: 4, parallel: 1 });
    await runAll(replica);
    const held = await spine.hold(`update backfills set state = 'cancelling' where id = $1`, [id]);
    await endActive(id);
    await runAll(replica); // does not wait for it
    await held.release();
    await runAll(replica, other);
    expect(await runsOf(id)).toHaveLength(1);
    expect(await readBackfill(spine.sql, id)).toMatchObject({ state: 'cancelled', succeeded: 1, left: 3, waiting: 0 });
  });

  it('stops when the right to start runs was taken away from who began it, and tells so', async () => {
    const id = await backfill();
    await spine.sql.query('update users set is_admin = false where id = $1', [userId]);
    await runAll(replica);
    await spine.sql.query('update users set is_admin = true where id = $1', [userId]);
    expect(await runsOf(id)).toEqual([]);
    expect(await readBackfill(spine.sql, id)).toMatchObject({ state: 'cancelled', left: 4, reason: { code: 'permission-denied' } });
  });

  it('stops when the schedule was removed', async () => {
    const id = await backfill();
    await spine.sql.query('update schedules set removed_at = now() where id = (select schedule_id from backfills where id = $1)', [id]);
    await runAll(replica);
    expect(await readBackfill(spine.sql, id)).toMatchObject({ state: 'cancelled', reason: { code: 'not-found' } });
  });

  it('does not keep a second backfill waiting for one that has as many runs as it may', async () => {
    const first = await backfill({ days: 5, parallel: 1 });
    const second = await backfill({ days: 5, parallel: 2 });
    await runAll(replica);
    expect([await activeOf(first), await activeOf(second)].map(({ length }) => length)).toEqual([1, 2]);
  });
});
