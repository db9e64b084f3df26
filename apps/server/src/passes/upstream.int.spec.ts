import { addDays, localDate, startOfDay, type UpstreamNeed } from '@medley/core';
import { uuidv7 } from '@medley/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createRuns } from '../runs/create-runs.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine, type WorkflowRef } from '../testing/spine.fixture.js';
import { startCounting, stopCounting, writeNeeds } from '../upstreams/needed-workflows.js';
import { readUpstreamDates } from '../upstreams/upstream-dates.js';
import { ARRIVAL_DAYS } from './prune.pass.js';

const zone = 'Asia/Shanghai';
const hourMs = 3_600_000;
type Need = Partial<UpstreamNeed> & { of?: WorkflowRef };

describe('schedules of upstreams', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: string;
  let billing: WorkflowRef;
  let nightly: string;
  let today: string;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    ({ name: pool } = await spine.addPool());
    await spine.addNode((await spine.sql.query<{ id: string }>('select id from pools'))[0]!.id);
  });
  beforeEach(async () => {
    today = localDate(Date.now(), zone);
    billing = await spine.addWorkflow(pool, { task: {} });
    nightly = await addSchedule(billing, 'cron');
  });
  afterEach(async () => {
    await expectInvariants(spine);
    await spine.sql.query('update schedules set enabled = false, next_fire_at = null, held_by_run_id = null');
    await spine.sql.query('delete from upstream_counts');
  });
  afterAll(() => spine.close());

  async function addSchedule(workflow: WorkflowRef, kind: 'cron' | 'upstream', fields: Record<string, unknown> = {}): Promise<string> {
    const id = uuidv7();
    const row = { kind, cron: kind === 'cron' ? '0 2 * * *' : null, misfire: { policy: 'skip', max: 1 }, zone, ...fields };
    const names = Object.keys(row);
    await spine.sql.query(
      `insert into schedules (id, project_id, workflow_id, name, ${names.join(', ')}) values ($1, $2, $3, $4, ${names.map((_, index) => `$${index + 5}`).join(', ')})`,
      [id, spine.projectId, workflow.id, id, ...Object.values(row)],
    );
    return id;
  }

  /** A schedule of a workflow of its own that waits for these, looked at once. */
  async function waiting(needs: Need[], fields: Record<string, unknown> = {}): Promise<{ id: string; workflow: WorkflowRef }> {
    const workflow = await spine.addWorkflow(pool, { task: {} });
    const upstreams = needs.map(({ of: _, ...need }) => ({ project: null, workflow: 'named', day: 0, hours: null, ...need }));
    const id = await addSchedule(workflow, 'upstream', { rule: { upstreams }, ...fields });
    const found = needs.map((need) => (need.workflow === null ? null : (need.of ?? billing).id));
    const now = new Date();
    await spine.inTransaction((sql) => writeNeeds(sql, { id, workflowId: workflow.id, zone, enabled: true, now }, found));
    await settle();
    return { id, workflow };
  }

  /** Runs the passes of a server until they have nothing to do. */
  async function settle(on: Replica = replica): Promise<void> {
    for (let turn = 0; turn < 200; turn++) {
      const { again, wakeInMs } = await on.passes.upstream.run();
      const fired = await on.passes.fire.run();
      if (!again && !fired.again && wakeInMs === undefined) return;
    }
    throw new Error('the passes do not come to an end');
  }

  async function start(
    scheduleId: string,
    workflow: WorkflowRef,
    fireAt: Date,
    trigger: 'schedule' | 'backfill' = 'schedule',
  ): Promise<string> {
    const run = {
      projectId: spine.projectId,
      workflowId: workflow.id,
      workflowVersion: 1,
      trigger,
      schedule: { id: scheduleId, fireAt, zone },
      parameters: {},
      ...(trigger === 'backfill' ? { backfillId: uuidv7() } : {}),
    };
    const { created } = await spine.inTransaction((sql) => createRuns(sql, replica.settlement.specs, [run]));
    return created[0]!.id;
  }
  async function end(runId: string, outcome: 'succeeded' | 'failed' = 'succeeded'): Promise<void> {
    const attempts = await replica.runReady(runId);
    await replica.end([{ attemptId: attempts.get('task')!.id, outcome, exitCode: outcome === 'succeeded' ? 0 : 1 }]);
  }
  /** A run of the nightly schedule of a date, at two o'clock. */
  const nightOf = (day: string) => new Date(startOfDay(day, zone) + 2 * hourMs);
  async function succeed(day: string): Promise<void> {
    await end(await start(nightly, billing, nightOf(day)));
    await settle();
  }
  const runsOf = (id: string) =>
    spine.sql.query<{ id: string; fire_at: Date; state: string }>(
      'select id, fire_at, state from runs where schedule_id = $1 order by id',
      [id],
    );
  const datesOf = async (id: string) => (await runsOf(id)).map(({ fire_at }) => localDate(fire_at.getTime(), zone));
  const nextOf = async (id: string) =>
    (await spine.sql.query<{ next: Date | null }>('select next_fire_at as next from schedules where id = $1', [id]))[0]!.next;

  it('fire once when all upstreams of the same day have succeeded, with the beginning of the day as fire time', async () => {
    const other = await spine.addWorkflow(pool, { task: {} });
    const otherSchedule = await addSchedule(other, 'cron');
    const { id } = await waiting([{}, { of: other }]);
    await succeed(today);
    expect(await datesOf(id)).toEqual([]);
    await end(await start(otherSchedule, other, nightOf(today)));
    await settle();
    const [run] = await runsOf(id);
    expect(run!.fire_at.getTime()).toBe(startOfDay(today, zone));
    await end(await start(nightly, billing, new Date(nightOf(today).getTime() + 1000)));
    await settle();
    expect(await datesOf(id)).toEqual([today]);
  });

  it('of the day before fire for the next date, and not before it begins', async () => {
    const { id } = await waiting([{ day: -1 }]);
    await succeed(today);
    const tomorrow = addDays(today, 1);
    expect(await datesOf(id)).toEqual([]);
    expect(await nextOf(id)).toEqual(new Date(startOfDay(tomorrow, zone)));
    await spine.sql.query('update schedules set next_fire_at = clock_timestamp() where id = $1', [id]);
    await settle();
    expect(await datesOf(id)).toEqual([]);
    await succeed(addDays(today, -1));
    expect(await datesOf(id)).toEqual([today]);
    expect(await nextOf(id)).toEqual(new Date(startOfDay(tomorrow, zone)));
  });

  it('of all hours wait for the last of them', async () => {
    const { id } = await waiting([{ hours: 'all', day: -1 }]);
    const fromMs = startOfDay(addDays(today, -1), zone);
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(fromMs + hour * hourMs + 300_000));
    for (const at of hours.slice(1)) await end(await start(nightly, billing, at));
    await settle();
    expect(await datesOf(id)).toEqual([]);
    const { items } = await readUpstreamDates(spine.sql, id, null);
    expect(items.find(({ day }) => day === today)!.needs).toMatchObject([{ hours: 24, missingHours: [new Date(fromMs).toISOString()] }]);
    await end(await start(nightly, billing, hours[0]!));
    await settle();
    expect(await datesOf(id)).toEqual([today]);
  });

  it('of their own run before wait for it, and go on when a rerun has made it succeed', async () => {
    const { id } = await waiting([{ day: -2 }, { workflow: null, day: -1 }]);
    await spine.sql.query('update upstream_counts set since = $2 where schedule_id = $1', [id, addDays(today, -1)]);
    await succeed(addDays(today, -3));
    await succeed(addDays(today, -2));
    expect(await datesOf(id)).toEqual([addDays(today, -1)]);
    const [first] = await runsOf(id);
    await end(first!.id, 'failed');
    await settle();
    expect(await datesOf(id)).toEqual([addDays(today, -1)]);
    await end(await replica.rerun(first!.id, { mode: 'failed' }));
    await settle();
    expect([...new Set(await datesOf(id))]).toEqual([addDays(today, -1), today]);
  });

  it('wait while an upstream has failed, and fire when its rerun succeeds', async () => {
    const { id } = await waiting([{}]);
    const failed = await start(nightly, billing, nightOf(today));
    await end(failed, 'failed');
    await settle();
    expect(await datesOf(id)).toEqual([]);
    const [date] = (await readUpstreamDates(spine.sql, id, null)).items;
    expect(date).toMatchObject({ day: today, state: 'waiting', needs: [{ isThere: false, run: { id: failed, state: 'failed' } }] });
    await end(await replica.rerun(failed, { mode: 'failed' }));
    await settle();
    expect(await datesOf(id)).toEqual([today]);
    expect((await readUpstreamDates(spine.sql, id, null)).items[0]).toMatchObject({
      state: 'fired',
      needs: [{ isThere: true, run: null }],
    });
  });

  it('count runs of a backfill, and no run without a date', async () => {
    const { id } = await waiting([{}]);
    await end(await replica.startRun(billing, spine.projectId));
    await settle();
    expect(await datesOf(id)).toEqual([]);
    await end(await start(nightly, billing, nightOf(today), 'backfill'));
    await settle();
    expect(await datesOf(id)).toEqual([today]);
  });

  it('fire exactly once on two servers, whichever of two upstreams comes last', async () => {
    const other = await spine.replica();
    const pairs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const second = await spine.addWorkflow(pool, { task: {} });
        return { second, secondSchedule: await addSchedule(second, 'cron') };
      }),
    );
    const schedules: string[] = [];
    for (const { second } of pairs) schedules.push((await waiting([{}, { of: second }])).id);
    const runs = [await start(nightly, billing, nightOf(today))];
    for (const { second, secondSchedule } of pairs) runs.push(await start(secondSchedule, second, nightOf(today)));
    await replica.place();
    const attempts = await Promise.all(runs.map(async (run) => (await replica.claimAll(run)).get('task')!.id));
    const ending = attempts.map((attemptId, index) =>
      (index % 2 ? other : replica).end([{ attemptId, outcome: 'succeeded', exitCode: 0 }]),
    );
    await Promise.all([...ending, settle(replica), settle(other), settle(replica), settle(other)]);
    await Promise.all([settle(replica), settle(other)]);
    expect(await Promise.all(schedules.map(datesOf))).toEqual(schedules.map(() => [today]));
  });

  it('see a success whose transaction began before they were made', async () => {
    const run = await start(nightly, billing, nightOf(addDays(today, -1)));
    const held = await spine.hold(`update runs set state = 'running' where id = $1`, [run]);
    const { id } = await spine.inTransaction(async (sql) => {
      const workflow = await spine.addWorkflow(pool, { task: {} });
      const upstreams = [
        { project: null, workflow: 'named', day: -1, hours: null },
        { project: null, workflow: 'named', day: 0, hours: null },
      ];
      const scheduleId = await addSchedule(workflow, 'upstream', { rule: { upstreams } });
      await writeNeeds(sql, { id: scheduleId, workflowId: workflow.id, zone, enabled: true, now: new Date() }, [billing.id, billing.id]);
      return { id: scheduleId };
    });
    for (let turn = 0; turn < 5; turn++) expect((await replica.passes.upstream.run()).wakeInMs).toBeGreaterThan(0);
    await held.query(`update runs set state = 'succeeded', finished_at = clock_timestamp(), open_tasks = 0 where id = $1`, [run]);
    await held.query(`update task_runs set state = 'running' where run_id = $1`, [run]);
    await held.query(`update task_runs set state = 'succeeded', finished_at = clock_timestamp() where run_id = $1`, [run]);
    await held.release();
    await settle();
    await succeed(today);
    expect(await datesOf(id)).toEqual([today]);
  });

  it('do not fire for what was there before they were enabled, and no date twice when they are enabled again', async () => {
    await succeed(today);
    await succeed(addDays(today, -1));
    const { id } = await waiting([{}]);
    expect(await datesOf(id)).toEqual([]);
    expect((await readUpstreamDates(spine.sql, id, null)).since).toBe(addDays(today, 1));
    const late = await waiting([{}, { day: -2 }]);
    await succeed(addDays(today, -2));
    expect(await datesOf(late.id)).toEqual([today]);
    await spine.inTransaction((sql) => stopCounting(sql, late.id));
    await spine.inTransaction((sql) => startCounting(sql, { id: late.id, zone, now: new Date() }));
    await settle();
    await end(await start(nightly, billing, new Date(nightOf(today).getTime() + 1000)));
    await settle();
    expect(await datesOf(late.id)).toEqual([today]);
  });

  it('start one run after another under `queue` when several dates are ready, the oldest first', async () => {
    const { id } = await waiting([{}], { overlap: 'queue' });
    await spine.sql.query('update upstream_counts set since = $2 where schedule_id = $1', [id, addDays(today, -2)]);
    for (const back of [0, -2, -1]) await end(await start(nightly, billing, nightOf(addDays(today, back))));
    await settle();
    expect(await datesOf(id)).toEqual([addDays(today, -2)]);
    for (const expected of [2, 3]) {
      await end((await runsOf(id)).at(-1)!.id);
      await settle();
      expect(await datesOf(id)).toHaveLength(expected);
    }
    expect(await datesOf(id)).toEqual([addDays(today, -2), addDays(today, -1), today]);
  });

  it('forget what succeeded so long ago that no date can need it, but of themselves nothing', async () => {
    const { id, workflow } = await waiting([{}, { workflow: null, day: -1 }]);
    const note = (workflowId: string, scheduleId: string, daysAgo: number) =>
      spine.sql.query(
        'insert into upstream_arrivals (workflow_id, schedule_id, day, slot_at, is_new) values ($1, $2, current_date - $3::int, clock_timestamp(), false)',
        [workflowId, scheduleId, daysAgo],
      );
    for (const days of [ARRIVAL_DAYS, ARRIVAL_DAYS + 1]) await note(billing.id, nightly, days);
    await note(workflow.id, id, 400);
    await replica.passes.prune.run();
    const left = () =>
      spine.sql.query<{ schedule: string; days: number }>(
        'select schedule_id as schedule, current_date - day as days from upstream_arrivals where schedule_id in ($1, $2) order by days',
        [nightly, id],
      );
    expect(await left()).toEqual([
      { schedule: nightly, days: ARRIVAL_DAYS },
      { schedule: id, days: 400 },
    ]);
    await spine.sql.query('update schedules set removed_at = clock_timestamp() where id = $1', [id]);
    await replica.passes.prune.run();
    expect(await left()).toEqual([{ schedule: nightly, days: ARRIVAL_DAYS }]);
  });

  it('keep no run from ending while what has succeeded for its date before is being taken up', async () => {
    const { id } = await waiting([{}]);
    await end(await start(nightly, billing, nightOf(today)));
    const taken = await spine.hold('update upstream_arrivals set is_new = is_new where workflow_id = $1', [billing.id]);
    await end(await start(nightly, billing, nightOf(today), 'backfill'));
    await taken.release();
    await settle();
    expect(await datesOf(id)).toEqual([today]);
  });

  it('rest where their zone is not known any more, and keep neither the others nor the ends of runs waiting', async () => {
    const [unknown, known] = [await waiting([{}]), await waiting([{}])];
    const lost = await addSchedule(billing, 'cron');
    await spine.sql.query(`update schedules set zone = 'Nowhere/Sunken' where id = any($1)`, [[unknown.id, lost]]);
    await spine.sql.query('update upstream_counts set needs_look = true, is_seeded = false where schedule_id = $1', [unknown.id]);
    const run = await start(lost, billing, nightOf(today));
    await end(run);
    expect((await spine.run(run)).state).toBe('succeeded');
    await succeed(today);
    expect([await datesOf(unknown.id), await datesOf(known.id)]).toEqual([[], [today]]);
    await spine.sql.query('insert into upstream_dates (schedule_id, day, fire_at) values ($1, current_date, clock_timestamp())', [
      unknown.id,
    ]);
    await spine.sql.query('update schedules set next_fire_at = clock_timestamp() where id = $1', [unknown.id]);
    await settle();
    expect(await runsOf(unknown.id)).toHaveLength(1);
  });

  it('do not wait for transactions of a database of whose dump theirs was restored', async () => {
    const { id } = await waiting([{}]);
    await spine.sql.query(
      `update upstream_counts set needs_look = true, is_seeded = false, horizon = '9000000000000000000' where schedule_id = $1`,
      [id],
    );
    await settle();
    await succeed(today);
    expect(await datesOf(id)).toEqual([today]);
  });

  it('cost the end of a run nothing to write while no schedule needs its workflow', async () => {
    await succeed(today);
    expect(await spine.sql.query('select 1 from upstream_arrivals where workflow_id = $1', [billing.id])).toEqual([]);
  });
});
