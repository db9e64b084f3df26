import { uuidv7 } from '@medley/database';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine, type WorkflowRef } from '../testing/spine.fixture.js';

interface Fields {
  kind?: string;
  cron?: string | null;
  rule?: object;
  overlap?: string;
  starts?: string;
  jitter_seconds?: number;
  next_fire_at?: Date;
  delayed_until?: Date;
  misfire?: object;
}

interface Stored {
  next_fire_at: Date | null;
  delayed_until: Date | null;
  held_by_run_id: string | null;
  held_from: Date | null;
  passed_over: { fireAt: string; runId: string } | null;
}

const hourMs = 3_600_000;

/** Schedules by the hour, whose latest fire was half an hour ago: no test depends on when it runs. */
describe('the fire pass', () => {
  let spine: Spine;
  let replica: Replica;
  let workflow: WorkflowRef;
  let dueMs: number;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    const pool = await spine.addPool();
    await spine.addNode(pool.id);
    workflow = await spine.addWorkflow(pool.name, { task: {} });
    dueMs = Math.floor(Date.now() / 60_000) * 60_000 - hourMs / 2;
  });
  afterEach(async () => {
    for (const { id } of await spine.sql.query<{ id: string }>('select id from runs where finished_at is null')) await replica.cancel(id);
    await endCancelled();
    await expectInvariants(spine);
    await spine.sql.query('update schedules set enabled = false, held_by_run_id = null');
  });
  afterAll(() => spine.close());

  const hours = (before: number) => new Date(dueMs - before * hourMs);

  async function schedule(fields: Fields): Promise<string> {
    const id = uuidv7();
    const row = {
      kind: 'cron',
      cron: `${hours(0).getUTCMinutes()} * * * *`,
      rule: {},
      misfire: { policy: 'run-all', max: 5 },
      next_fire_at: hours(0),
      ...fields,
    };
    const names = Object.keys(row);
    await spine.sql.query(
      `insert into schedules (id, project_id, workflow_id, name, zone, ${names.join(', ')}) values ($1, $2, $3, $4, 'UTC', ${names.map((_, index) => `$${index + 5}`).join(', ')})`,
      [id, spine.projectId, workflow.id, id, ...Object.values(row)],
    );
    return id;
  }
  const stored = async (id: string) => (await spine.sql.query<Stored>('select * from schedules where id = $1', [id]))[0]!;
  const runsOf = (id: string) =>
    spine.sql.query<{ id: string; fire_at: Date; state: string; finished_at: Date | null }>(
      'select * from runs where schedule_id = $1 order by id',
      [id],
    );
  const firesOf = async (id: string) => (await runsOf(id)).map(({ fire_at }) => fire_at);
  /** Moves what is due to an earlier fire, as if time went on. */
  const dueSince = (id: string, at: Date) => spine.sql.query('update schedules set next_fire_at = $2 where id = $1', [id, at]);

  async function fire(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) if (!(await replica.passes.fire.run()).again) return;
  }
  /** Brings the task of a run onto the node, and ends it there if so wanted. */
  async function begin(runId: string): Promise<string> {
    await replica.place();
    return (await replica.claimAll(runId)).get('task')!.id;
  }
  async function complete(runId: string): Promise<void> {
    await replica.end([{ attemptId: await begin(runId), outcome: 'succeeded', exitCode: 0 }]);
  }
  async function endCancelled(): Promise<void> {
    const stopping = await spine.sql.query<{ id: string }>(`select id from attempts where state = 'stopping'`);
    if (stopping.length > 0)
      await replica.end(stopping.map(({ id }) => ({ attemptId: id, outcome: 'cancelled' as const, exitCode: null })));
  }

  it('keeps one waiting run per schedule while no node takes it, and the fires follow one by one as each has begun', async () => {
    const id = await schedule({});
    await fire();
    const [waiting] = await runsOf(id);
    expect(await firesOf(id)).toEqual([hours(0)]);
    await dueSince(id, hours(2));
    await fire();
    await fire();
    expect(await runsOf(id)).toHaveLength(1);
    expect(await stored(id)).toMatchObject({ held_by_run_id: waiting!.id, held_from: hours(2), next_fire_at: hours(2) });
    await begin(waiting!.id);
    await fire();
    expect(await firesOf(id)).toEqual([hours(0), hours(2)]);
    expect(await stored(id)).toMatchObject({ next_fire_at: hours(1), held_from: hours(1) });
  });

  it('starts runs beside each other under `allow` once they have begun', async () => {
    const id = await schedule({});
    await fire();
    const [first] = await runsOf(id);
    await begin(first!.id);
    await dueSince(id, hours(2));
    await fire();
    expect(await firesOf(id)).toEqual([hours(0), hours(2), hours(1)]);
  });

  it('passes fires over under `skip` while a run is active, and tells of which run', async () => {
    const id = await schedule({ overlap: 'skip' });
    await fire();
    const [first] = await runsOf(id);
    await dueSince(id, hours(1));
    await fire();
    expect(await runsOf(id)).toHaveLength(1);
    expect((await stored(id)).passed_over).toEqual({ fireAt: hours(0).toISOString(), runId: first!.id });
    expect((await stored(id)).next_fire_at!.getTime()).toBeGreaterThan(Date.now());
  });

  it('starts one run after another under `queue`, in order and none twice', async () => {
    const id = await schedule({ overlap: 'queue', next_fire_at: hours(2) });
    await fire();
    const [first] = await runsOf(id);
    expect(await firesOf(id)).toEqual([hours(2)]);
    expect(await stored(id)).toMatchObject({ held_by_run_id: first!.id, next_fire_at: hours(1), held_from: hours(1) });
    await complete(first!.id);
    await fire();
    const [, second] = await runsOf(id);
    expect(second!.fire_at).toEqual(hours(1));
    await complete(second!.id);
    await fire();
    expect(await firesOf(id)).toEqual([hours(2), hours(1), hours(0)]);
  });

  it('cancels what runs under `cancel-running`, and starts the latest fire only when that has ended', async () => {
    const id = await schedule({ overlap: 'cancel-running' });
    await fire();
    const [first] = await runsOf(id);
    await begin(first!.id);
    await dueSince(id, hours(2));
    await fire();
    expect((await runsOf(id)).map(({ state }) => state)).toEqual(['cancelling']);
    expect(await stored(id)).toMatchObject({ held_by_run_id: first!.id });
    await endCancelled();
    await spine.sql.query('update runs set fire_at = $2 where schedule_id = $1', [id, hours(3)]); // so that its own fire time is free again
    await fire();
    expect((await runsOf(id)).map(({ state }) => state)).toEqual(['cancelled', 'queued']);
  });

  it('wakes what may wait for the end of a run that `cancel-running` has cancelled', async () => {
    const id = await schedule({ overlap: 'cancel-running' });
    await fire();
    await dueSince(id, hours(2));
    const topics: string[] = [];
    const heard = replica.bus.heard.subscribe(({ topic }) => topics.push(topic));
    await fire();
    heard.unsubscribe();
    expect((await runsOf(id))[0]).toMatchObject({ state: 'cancelled' });
    expect(topics).toEqual(expect.arrayContaining(['admit', 'backfill', 'unplaced']));
  });

  it('counts a fixed delay from the end of the run, and fires nothing meanwhile', async () => {
    const id = await schedule({ kind: 'fixed-delay', cron: null, rule: { seconds: 3600 } });
    await fire();
    const [first] = await runsOf(id);
    expect(await stored(id)).toMatchObject({ next_fire_at: null, held_by_run_id: first!.id });
    await complete(first!.id);
    await fire();
    const [{ finished_at }] = (await runsOf(id)) as unknown as [{ finished_at: Date }];
    expect(await stored(id)).toMatchObject({ next_fire_at: new Date(finished_at.getTime() + 3_600_000), held_by_run_id: null });
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('fires a one-shot once', async () => {
    const id = await schedule({ kind: 'one-shot', cron: null, rule: { at: hours(0).toISOString() } });
    await fire();
    expect(await firesOf(id)).toEqual([hours(0)]);
    expect(await stored(id)).toMatchObject({ next_fire_at: null, held_by_run_id: null });
  });

  it('fires a fixed rate at its multiples', async () => {
    const id = await schedule({ kind: 'fixed-rate', cron: null, rule: { seconds: 3600 }, starts: hours(4).toISOString() });
    await fire();
    expect(await firesOf(id)).toEqual([hours(0)]);
    expect((await stored(id)).next_fire_at).toEqual(hours(-1));
  });

  it('stores the fire time before jitter, and fires not before jitter has passed', async () => {
    const id = await schedule({ jitter_seconds: 50, delayed_until: new Date(Date.now() + hourMs) });
    await fire();
    expect(await firesOf(id)).toEqual([]);
    await spine.sql.query('update schedules set delayed_until = next_fire_at where id = $1', [id]);
    await fire();
    expect(await firesOf(id)).toEqual([hours(0)]);
    const { next_fire_at, delayed_until } = await stored(id);
    expect(next_fire_at).toEqual(hours(-1));
    expect(delayed_until!.getTime() - next_fire_at!.getTime()).toBeLessThan(50_000);
  });

  it('finds by the regular question what a server that died did not release', async () => {
    const id = await schedule({ overlap: 'queue', next_fire_at: hours(1) });
    await fire();
    const [first] = await runsOf(id);
    await spine.sql.query(`update task_runs set state = 'cancelled', finished_at = now() where run_id = $1`, [first!.id]);
    await spine.sql.query(`update runs set state = 'cancelled', finished_at = now(), open_tasks = 0 where id = $1`, [first!.id]);
    await fire();
    expect(await firesOf(id)).toEqual([hours(1), hours(0)]);
  });
});
