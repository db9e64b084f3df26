import { uuidv7 } from '@medley/database';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { getRun } from '../runs/runs.repository.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine, type WorkflowRef } from '../testing/spine.fixture.js';

interface ScheduleFields {
  cron?: string;
  nextFireAt?: string;
  misfire?: { policy: string; max: number };
  enabled?: boolean;
  removed?: boolean;
  parameters?: object;
}

/** Six fields that fire at this instant of every year. */
function yearlyAt(at: Date): string {
  return `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
}

describe('the fire pass', () => {
  let spine: Spine;
  let replica: Replica;
  let workflow: WorkflowRef;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    workflow = await spine.addWorkflow((await spine.addPool()).name, { task: {} });
  });
  afterEach(async () => {
    await expectInvariants(spine);
    await spine.sql.query('update schedules set enabled = false');
  });
  afterAll(() => spine.close());

  /** A schedule that became due a second ago, unless the fields say otherwise; `nextFireAt` is an SQL expression. */
  async function schedule(fields: ScheduleFields = {}, on: WorkflowRef = workflow): Promise<string> {
    const id = uuidv7();
    const due = new Date(Math.floor(Date.now() / 1000 - 1) * 1000);
    await spine.sql.query(
      `insert into schedules (id, project_id, workflow_id, name, cron, zone, parameters, misfire, enabled, removed_at, next_fire_at)
       values ($1, $2, $3, $9, $4, 'UTC', $5, $6, $7, case when $8 then clock_timestamp() end, ${fields.nextFireAt ?? `'${due.toISOString()}'`})`,
      [
        id,
        spine.projectId,
        on.id,
        fields.cron ?? yearlyAt(due),
        JSON.stringify(fields.parameters ?? {}),
        JSON.stringify(fields.misfire ?? { policy: 'run-once', max: 1 }),
        fields.enabled ?? true,
        fields.removed ?? false,
        id,
      ],
    );
    return id;
  }

  const firesOf = async (scheduleId: string) =>
    (await spine.sql.query<{ fire_at: Date }>('select fire_at from runs where schedule_id = $1 order by fire_at', [scheduleId])).map(
      ({ fire_at }) => fire_at,
    );
  const nextOf = async (scheduleId: string) =>
    (await spine.sql.query<{ next: Date | null }>('select next_fire_at as next from schedules where id = $1', [scheduleId]))[0]!.next;

  async function runAll(each: Replica): Promise<void> {
    for (let turn = 0; turn < 50; turn++) if (!(await each.passes.fire.run()).again) return;
  }

  it('starts exactly one run for each of 300 due schedules on two servers', async () => {
    const other = await spine.replica();
    const ids: string[] = [];
    for (let count = 0; count < 300; count++) ids.push(await schedule());
    const due = await Promise.all(ids.map(nextOf));
    await Promise.all([runAll(replica), runAll(other), runAll(replica), runAll(other)]);
    await runAll(replica);

    const fires = await spine.sql.query<{ schedule_id: string; fire_at: Date; count: number }>(
      'select schedule_id, fire_at, count(*)::int as count from runs where schedule_id = any($1) group by schedule_id, fire_at order by schedule_id',
      [ids],
    );
    expect(fires.map(({ schedule_id, count }) => [schedule_id, count])).toEqual(ids.map((id) => [id, 1]));
    expect(fires.map(({ fire_at }) => fire_at)).toEqual(due);
    for (const id of ids) expect((await nextOf(id))!.getTime()).toBeGreaterThan(Date.now());
  });

  it('fires with the next pass what a crash before the commit left due', async () => {
    const id = await schedule();
    const due = await nextOf(id);
    const dying = await spine.replica();
    const source = dying.source;
    const create = source.createQueryRunner.bind(source);
    source.createQueryRunner = ((...args: []) => {
      const runner = create(...args);
      const connect = runner.connect.bind(runner);
      runner.connect = async () => {
        const client = await connect();
        const query = client.query.bind(client);
        client.query = (text: unknown) =>
          text === 'commit' ? Promise.reject(new Error('the server dies before its commit')) : query(text);
        return client;
      };
      return runner;
    }) as typeof source.createQueryRunner;
    await expect(dying.passes.fire.run()).rejects.toThrow('the server dies');
    expect(await firesOf(id)).toEqual([]);
    expect(await nextOf(id)).toEqual(due);

    source.createQueryRunner = create;
    await replica.passes.fire.run();
    expect(await firesOf(id)).toEqual([due]);
  });

  it('starts no second run for a fire time that has one already', async () => {
    const id = await schedule();
    const due = await nextOf(id);
    await replica.passes.fire.run();
    await spine.sql.query('update schedules set next_fire_at = $2 where id = $1', [id, due]);
    await replica.passes.fire.run();
    expect(await firesOf(id)).toEqual([due]);
  });

  it('treats what was missed as its policy says', async () => {
    const halfAnHourAgo = Math.floor(Date.now() / 60_000) * 60_000 - 1_800_000; // far from a fire that is on time
    const hours = (before: number) => new Date(halfAnHourAgo - before * 3_600_000);
    const hourly = { cron: `${hours(0).getUTCMinutes()} * * * *`, nextFireAt: `'${hours(4).toISOString()}'` };
    const skip = await schedule({ ...hourly, misfire: { policy: 'skip', max: 1 } });
    const once = await schedule({ ...hourly, misfire: { policy: 'run-once', max: 1 } });
    const three = await schedule({ ...hourly, misfire: { policy: 'run-all', max: 3 } });
    const all = await schedule({ ...hourly, misfire: { policy: 'run-all', max: 100 } });
    await replica.passes.fire.run();

    expect(await firesOf(skip)).toEqual([]);
    expect(await firesOf(once)).toEqual([hours(0)]);
    expect(await firesOf(three)).toEqual([2, 1, 0].map(hours));
    expect(await firesOf(all)).toEqual([4, 3, 2, 1, 0].map(hours));
    for (const id of [skip, once, three, all]) expect(await nextOf(id)).toEqual(hours(-1));
  });

  it('never fires a schedule that is disabled or removed', async () => {
    const disabled = await schedule({ enabled: false });
    const removed = await schedule({ removed: true });
    await replica.passes.fire.run();
    expect([...(await firesOf(disabled)), ...(await firesOf(removed))]).toEqual([]);
  });

  it('does not fire a schedule that is disabled while it is due, whoever is first', async () => {
    const id = await schedule();
    const held = await spine.hold('update schedules set enabled = false where id = $1', [id]);
    await replica.passes.fire.run(); // does not wait for it
    await held.release();
    await replica.passes.fire.run();
    expect(await firesOf(id)).toEqual([]);
  });

  it('asks to be woken at the next fire', async () => {
    await schedule({ nextFireAt: `clock_timestamp() + interval '90 seconds'` });
    await schedule({ nextFireAt: `clock_timestamp() + interval '30 seconds'` });
    const { wakeInMs } = await replica.passes.fire.run();
    expect(wakeInMs).toBeGreaterThan(29_000);
    expect(wakeInMs).toBeLessThanOrEqual(30_000);
  });

  it('does not spin while another server holds what is due', async () => {
    const id = await schedule();
    const held = await spine.hold('select id from schedules where id = $1 for update', [id]);
    const { wakeInMs } = await replica.passes.fire.run();
    expect(wakeInMs).toBeGreaterThanOrEqual(5);
    await held.release();
    await replica.passes.fire.run();
    expect(await firesOf(id)).toHaveLength(1);
  });

  it('stores a run that cannot be started as failed with its reason, starts the others, and moves on', async () => {
    const broken = await schedule({}, await spine.addWorkflow('no-such-pool', { task: {} }));
    const due = await nextOf(broken);
    const good = await schedule();
    await replica.passes.fire.run();
    await replica.passes.fire.run();
    const [failed, ...more] = await spine.sql.query<{ id: string }>('select id from runs where schedule_id = $1', [broken]);
    expect(more).toEqual([]);
    const view = await getRun(spine.sql, failed!.id);
    expect(view).toMatchObject({ state: 'failed', taskCount: 0, startedAt: null, finishedAt: expect.any(String), counts: {} });
    expect(view).toMatchObject({
      fireAt: due!.toISOString(),
      reason: { code: 'workflow-invalid', text: expect.stringContaining('`no-such-pool`') },
    });
    expect(await firesOf(good)).toHaveLength(1);
    expect((await nextOf(broken))!.getTime()).toBeGreaterThan(Date.now());
  });

  it('wakes the passes that go on with its runs and announces schedule and run after the commit', async () => {
    const id = await schedule();
    const wakes: string[] = [];
    const changed: { entity: string; id: string }[] = [];
    const listening = await spine.replica();
    listening.bus.heard.subscribe(({ topic }) => wakes.push(topic));
    listening.bus.changes.subscribe((events) => changed.push(...events));
    await listening.passes.fire.run();
    const [run] = await spine.sql.query<{ id: string }>('select id from runs where schedule_id = $1', [id]);
    expect(wakes).toEqual(['place', 'admit']);
    expect(changed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ entity: 'schedule', id }),
        expect.objectContaining({ entity: 'run', id: run!.id }),
      ]),
    );
  });
});
