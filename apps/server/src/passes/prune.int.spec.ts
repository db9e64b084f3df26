import { uuidv7, uuidv7LowerBound } from '@medley/database';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { logOf, type Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';

const DAY_MS = 86_400_000;

describe('the prune pass', () => {
  let spine: Spine;
  let replica: Replica;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
  });
  afterAll(() => spine.close());

  const partitions = async () =>
    (
      await spine.sql.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'log_chunks'::regclass order by name`,
      )
    ).map(({ name }) => name);
  const dayName = (offset: number) => `log_chunks_${new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;

  it('makes the log partitions of today and of three days ahead, and logs land in them', async () => {
    await replica.passes.prune.run();
    expect(await partitions()).toEqual(['log_chunks_rest', ...[0, 1, 2, 3].map(dayName)].toSorted());

    const pool = await spine.addPool();
    await spine.addNode(pool.id);
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, { task: {} }), spine.projectId);
    const attempt = (await replica.runReady(runId)).get('task')!;
    await replica.report(attempt, [logOf('here')]);
    const [row] = await spine.sql.query<{ table: string }>(
      'select tableoid::regclass::text as table from log_chunks where attempt_id = $1',
      [attempt.id],
    );
    expect(row!.table).toBe(dayName(0));
  });

  it('changes nothing when it runs again, also on two servers at once', async () => {
    const before = await partitions();
    const other = await spine.replica();
    await Promise.all([replica.passes.prune.run(), other.passes.prune.run()]);
    await replica.passes.prune.run();
    expect(await partitions()).toEqual(before);
  });

  it('makes partitions beside those who read and write logs, and later where it cannot', async () => {
    await spine.sql.query(`drop table ${dayName(3)}`);
    const unplanned = await spine.hold('select * from log_chunks_rest where $1', [true]);
    await replica.passes.prune.run();
    await unplanned.release();
    expect(await partitions()).not.toContain(dayName(3));
    const writer = await spine.hold(`insert into log_chunks (attempt_id, stream, byte_offset, data) values ($1, 1, 0, 'x') returning 1`, [
      uuidv7(),
    ]);
    const reader = await spine.hold('select * from log_chunks where attempt_id = $1', [uuidv7()]);
    await replica.passes.prune.run();
    await Promise.all([writer.release(), reader.release()]);
    expect(await partitions()).toContain(dayName(3));
    const indexes = (table: string) =>
      spine.sql.query(`select indisprimary, indkey::text from pg_index where indrelid = $1::regclass`, [table]);
    expect(await indexes(dayName(3))).toEqual(await indexes('log_chunks_rest'));
  });

  it('leaves a day to the default partition whose logs are there already, and makes the others', async () => {
    await spine.sql.query(`drop table ${dayName(0)}`);
    await spine.sql.query(`drop table ${dayName(2)}`);
    await spine.sql.query(`insert into log_chunks (attempt_id, stream, byte_offset, data) values ($1, 1, 0, 'x')`, [uuidv7()]);
    await replica.passes.prune.run();
    expect(await partitions()).toEqual(['log_chunks_rest', ...[1, 2, 3].map(dayName)].toSorted());
  });

  describe('a log partition of a past day', () => {
    const day = (daysAgo: number) => Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS;
    const addPartition = (daysAgo: number) =>
      spine.sql.query(
        `create table ${dayName(-daysAgo)} partition of log_chunks for values from ('${uuidv7LowerBound(day(daysAgo))}') to ('${uuidv7LowerBound(day(daysAgo - 1))}')`,
      );
    const addChunk = (daysAgo: number) =>
      spine.sql.query(`insert into log_chunks (attempt_id, stream, byte_offset, data) values ($1, 1, 0, 'x')`, [
        uuidv7LowerBound(day(daysAgo) + 5),
      ]);

    it('is dropped once it is empty, but not with chunks in it, and not yesterday', async () => {
      for (const daysAgo of [1, 2, 3]) await addPartition(daysAgo);
      await addChunk(3);
      await replica.passes.prune.run();
      expect(await partitions()).toEqual(expect.arrayContaining([dayName(-1), dayName(-3)]));
      expect(await partitions()).not.toContain(dayName(-2));
      await spine.sql.query(`delete from ${dayName(-3)}`);
      await replica.passes.prune.run();
      expect(await partitions()).not.toContain(dayName(-3));
      await addChunk(3);
    });

    it('is left alone while it is in use, and nobody waits for it', async () => {
      await addPartition(4);
      const reader = await spine.hold(`select * from ${dayName(-4)} where $1`, [true]);
      await replica.passes.prune.run();
      await reader.release();
      expect(await partitions()).toContain(dayName(-4));
      await replica.passes.prune.run();
      expect(await partitions()).not.toContain(dayName(-4));
    });
  });

  it('drops the history of placement once it is too old, decisions with their turns', async () => {
    const pool = await spine.addPool();
    await spine.addNode(pool.id);
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, { task: {} }), spine.projectId);
    const { id } = (await replica.runReady(runId)).get('task')!;
    const tables = async () =>
      (
        await spine.sql.query(
          'select (select count(*)::int from placement_decisions) as decisions, (select count(*)::int from placement_turns) as turns',
        )
      )[0];
    await replica.passes.prune.run();
    expect(await tables()).not.toMatchObject({ decisions: 0 });

    await spine.sql.query('delete from placement_decisions where attempt_id <> $1', [id]);
    await spine.sql.query('delete from placement_turns where id not in (select turn_id from placement_decisions)');
    await spine.sql.query('update placement_decisions set attempt_id = $1', ['00000000-0000-7000-8000-000000000001']);
    await spine.sql.query('update placement_turns set id = $1', ['00000000-0000-7000-8000-000000000002']);
    await replica.passes.prune.run();
    expect(await tables()).toEqual({ decisions: 0, turns: 0 });
  });

  it('drops expired sessions, old idempotency keys and actions on many runs that ended long ago only', async () => {
    const userId = uuidv7();
    await spine.sql.query(`insert into users (id, name, password_hash) values ($1, 'u', 'none')`, [userId]);
    for (const hours of [-1, 1])
      await spine.sql.query(
        `insert into sessions (id, user_id, token_hash, expires_at) values ($1, $2, $3, clock_timestamp() + make_interval(hours => $4))`,
        [uuidv7(), userId, Buffer.from(String(hours)), hours],
      );
    for (const days of [1, 3])
      await spine.sql.query(
        `insert into idempotency_keys (user_id, key, request_hash, created_at) values ($1, $2, '', clock_timestamp() - make_interval(days => $3))`,
        [userId, `of ${days} days`, days],
      );
    for (const days of [13, 15, null])
      await spine.sql.query(
        `insert into run_bulks (id, user_id, action, run_ids, finished_at) values ($1, $2, 'cancel', '{}', clock_timestamp() - make_interval(days => $3))`,
        [uuidv7LowerBound(days ?? 1), userId, days],
      );
    await replica.passes.prune.run();
    expect(await spine.sql.query('select id from run_bulks order by id')).toEqual([1, 13].map((ms) => ({ id: uuidv7LowerBound(ms) })));
    expect(await spine.sql.query('select token_hash from sessions')).toEqual([{ token_hash: Buffer.from('1') }]);
    expect(await spine.sql.query('select key from idempotency_keys')).toEqual([{ key: 'of 1 days' }]);
  });
});
