import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogPage } from '@medley/contracts';
import { seededRandom, type TemporaryDirectory, temporaryDirectory, waitFor } from '@medley/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { openWholeLog, readLog } from '../attempts/attempt-log.js';
import type { BlobStore } from '../blobs/blob-store.js';
import { finished, type Replica } from '../testing/replica.fixture.js';
import { type AttemptRow, Spine, type WorkflowRef } from '../testing/spine.fixture.js';

const STREAMS = [undefined, 'stdout', 'stderr', 'system'] as const;
const LIMITS = [1024, 100_000, 4_194_304];

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the archive pass', () => {
  let spine: Spine;
  let directory: TemporaryDirectory;
  let workflow: WorkflowRef;
  let replica: Replica;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    const pool = await spine.addPool();
    await spine.addNode(pool.id);
    workflow = await spine.addWorkflow(pool.name, { task: {} });
  });
  afterAll(() => spine.close());
  beforeEach(async () => {
    await spine.sql.query('delete from servers');
    await spine.sql.query('delete from log_chunks');
    directory = temporaryDirectory('archive');
    replica = await server();
    return () => directory.remove();
  });

  const server = (env: Record<string, string> = {}, blobs?: (store: BlobStore) => BlobStore) =>
    spine.replica({ blobs, env: { MEDLEY_DATA_DIR: directory.path, MEDLEY_LOG_ARCHIVE_AFTER_HOURS: '0', ...env } });

  /** An attempt that has ended with a log of many chunks, cut within characters, over all streams and several blocks. */
  async function endedAttempt(seed = 1, bytes = 1_500_000): Promise<AttemptRow> {
    const random = seededRandom(seed);
    const runId = await replica.startRun(workflow, spine.projectId);
    const attempt = (await replica.runReady(runId)).get('task')!;
    const offsets = [0, 0, 0];
    const text = Buffer.from('调度 ✓ done 第一行\n'.repeat(2000));
    for (let written = 0, clock = 0; written < bytes; ) {
      const stream = Math.floor(random() * 3);
      const size = Math.max(3, Math.floor(random() ** 2 * 60_000));
      const from = Math.floor(random() * 100);
      const data = Buffer.concat([text, text]).subarray(from, from + size);
      clock += Math.floor(random() * 3) - (random() < 0.05 ? 20 : 0); // equal instants, and a clock that is set back
      await addChunk(attempt, stream + 1, offsets[stream]!, data, clock);
      offsets[stream]! += data.length;
      written += data.length;
    }
    await replica.report(attempt, [finished('succeeded')]);
    return attempt;
  }
  const addChunk = (attempt: AttemptRow, stream: number, offset: number, data: Buffer, micros = 1_000_000) =>
    spine.sql.query(
      `insert into log_chunks values ($1, $2, $3, $4, timestamptz '2026-11-30 10:00:00Z' + $5::int * interval '1 microsecond')`,
      [attempt.id, stream, offset, data, micros],
    );

  async function pages(attempt: AttemptRow, stream: (typeof STREAMS)[number], limit: number): Promise<LogPage[]> {
    const all: LogPage[] = [];
    for (let after = ''; ; after = all.at(-1)!.next) {
      all.push(await readLog(spine.sql, replica.blobs, attempt.id, { stream, after, limit }));
      if (all.at(-1)!.complete) return all;
    }
  }
  /** Digests: a difference between whole logs is nothing to print. */
  async function everyAnswer(attempt: AttemptRow): Promise<string[]> {
    const answers: string[] = [];
    const digest = (answer: unknown) => createHash('sha256').update(JSON.stringify(answer)).digest('hex');
    for (const stream of STREAMS) {
      for (const limit of LIMITS) answers.push(`${stream} by ${limit}: ${digest(await pages(attempt, stream, limit))}`);
      answers.push(`${stream} whole: ${digest(await collect(await openWholeLog(spine.sql, replica.blobs, attempt.id, stream)))}`);
    }
    return answers;
  }
  const text = async (attempt: AttemptRow) => (await collect(await openWholeLog(spine.sql, replica.blobs, attempt.id))).join('');
  const chunkCount = async ({ id }: AttemptRow) =>
    (await spine.sql.query<{ count: number }>('select count(*)::int as count from log_chunks where attempt_id = $1', [id]))[0]!.count;
  const blobsOf = ({ id }: AttemptRow) => {
    const folder = join(directory.path, 'blobs');
    const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
    return names.filter((name) => name.includes(id) && name.endsWith('.gz')).map((name) => join(folder, name));
  };
  const archive = async (by: Replica = replica) => {
    while ((await by.passes.archive.run()).again);
  };
  const claimsRunOut = () => spine.sql.query(`update log_archives set claimed_until = clock_timestamp() where claimed_until is not null`);

  it('moves the log of an ended attempt out of Postgres, and every page, stream and download stays what it was', async () => {
    for (const seed of [1, 2]) {
      const attempt = await endedAttempt(seed);
      const before = await everyAnswer(attempt);
      await archive();
      expect(await chunkCount(attempt)).toBe(0);
      expect(blobsOf(attempt)).toHaveLength(1);
      expect(await everyAnswer(attempt)).toEqual(before);
    }
  });

  it('leaves logs of attempts that run or have just ended', async () => {
    const patient = await server({ MEDLEY_LOG_ARCHIVE_AFTER_HOURS: '1' });
    const ended = await endedAttempt(1, 1000);
    await archive(patient);
    expect(await chunkCount(ended)).toBeGreaterThan(0);

    const running = (await replica.runReady(await replica.startRun(workflow, spine.projectId))).get('task')!;
    await addChunk(running, 1, 0, Buffer.from('still'));
    await archive();
    expect(await chunkCount(running)).toBe(1);
    expect(await chunkCount(ended)).toBe(0);
  });

  it('adds what an agent delivers afterwards, also when it goes on within a character', async () => {
    const attempt = await endedAttempt(3, 1000);
    const end = await spine.sql.query<{ end: number }>(
      'select (max(byte_offset) + 200000)::int as end from log_chunks where attempt_id = $1',
      [attempt.id],
    );
    const cut = Buffer.from('尾巴');
    await addChunk(attempt, 1, end[0]!.end, cut.subarray(0, 4));
    await archive();
    const [first] = blobsOf(attempt);
    await addChunk(attempt, 1, end[0]!.end + 4, cut.subarray(4), 2_000_000);
    const late = await everyAnswer(attempt);
    expect(await text(attempt)).toMatch(/尾巴$/);
    await archive();
    expect(await chunkCount(attempt)).toBe(0);
    expect(await everyAnswer(attempt)).toEqual(late);
    expect(blobsOf(attempt)).toHaveLength(1);
    expect(blobsOf(attempt)).not.toEqual([first]);
  });

  describe('killed', () => {
    const killed = () => Promise.reject(new Error('killed here'));
    const moments: Record<string, (store: BlobStore) => Partial<BlobStore>> = {
      'before the blob is written': () => ({ put: killed }),
      'while the blob is written': (store) => ({
        put: (key, body) =>
          store.put(
            key,
            (async function* () {
              yield* body;
              await killed();
            })(),
          ),
      }),
      'between writing the blob and recording it': (store) => ({ put: (key, body) => store.put(key, body).then(killed), delete: killed }),
      'while recording it': (store) => ({
        put: async (key, body) => {
          await store.put(key, body);
          await spine.sql.query(`alter table log_archives add constraint broken check (blob_id is null) not valid`);
        },
      }),
      'before the blob of an earlier try is deleted': (store) => {
        let puts = 0;
        return { put: (key, body) => store.put(key, body).then(puts++ === 0 ? killed : () => {}), delete: killed };
      },
    };

    it.each(Object.keys(moments))('%s, it loses and doubles nothing, and the next one finishes', async (moment) => {
      const dying = await server({}, (store) => {
        const broken = moments[moment]!(store);
        return new Proxy(store, { get: (target, name) => Reflect.get({ [name]: bound(target, name), ...broken }, name) });
      });
      const attempt = await endedAttempt(4, 100_000);
      const before = await everyAnswer(attempt);
      for (let tries = 0; tries < 2; tries++) {
        await archive(dying).catch(() => {});
        await claimsRunOut();
      }
      await spine.sql.query('alter table log_archives drop constraint if exists broken');
      expect(await everyAnswer(attempt)).toEqual(before);
      await claimsRunOut();
      await archive();
      expect(await chunkCount(attempt)).toBe(0);
      expect(await everyAnswer(attempt)).toEqual(before);
      expect(blobsOf(attempt)).toHaveLength(1);
    });
    const bound = (store: BlobStore, name: string | symbol) => {
      const value: unknown = Reflect.get(store, name);
      return typeof value === 'function' ? value.bind(store) : value;
    };
  });

  it('shares the work between servers, each log once', async () => {
    const others = [replica, await server(), await server()];
    const attempts: AttemptRow[] = [];
    for (let index = 0; index < 25; index++) attempts.push(await endedAttempt(10 + index, 500));
    const before = await Promise.all(attempts.map(text));
    await Promise.all(others.map(archive));
    await claimsRunOut();
    await archive();
    expect(await Promise.all(attempts.map(text))).toEqual(before);
    expect(await Promise.all(attempts.map(chunkCount))).toEqual(attempts.map(() => 0));
    expect(attempts.map((attempt) => blobsOf(attempt).length)).toEqual(attempts.map(() => 1));
  });

  it('gives way when another has taken over the log meanwhile, and takes its blob back', async () => {
    let written!: () => void;
    let goOn!: () => void;
    const hasWritten = new Promise<void>((resolve) => (written = resolve));
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    const slow = await server({}, (store) =>
      Object.assign(Object.create(store) as BlobStore, {
        put: async (key: string, body: AsyncIterable<Uint8Array>) => {
          await store.put(key, body);
          written();
          await mayGoOn;
        },
      }),
    );
    const attempt = await endedAttempt(5, 1000);
    const before = await everyAnswer(attempt);
    const late = archive(slow);
    await hasWritten;
    await claimsRunOut();
    await archive();
    const recorded = await spine.sql.query('select blob_id from log_archives where attempt_id = $1', [attempt.id]);
    await addChunk(attempt, 3, 900_000, Buffer.from('arrived meanwhile'), 3_000_000);
    goOn();
    await late;
    expect(await spine.sql.query('select blob_id from log_archives where attempt_id = $1', [attempt.id])).toEqual(recorded);
    expect(await text(attempt)).toContain('arrived meanwhile');
    expect(blobsOf(attempt)).toHaveLength(1);
    expect(await everyAnswer(attempt)).not.toEqual(before);
  });

  it('keeps a chunk that arrives between the writing of the blob and its recording', async () => {
    const attempt = await endedAttempt(12, 1000);
    const before = await text(attempt);
    let arrivals = 0;
    const overtaken = await server({}, (store) =>
      Object.assign(Object.create(store) as BlobStore, {
        put: async (key: string, body: AsyncIterable<Uint8Array>) => {
          await store.put(key, body);
          if (arrivals++ === 0) await addChunk(attempt, 2, 900_000, Buffer.from('arrived meanwhile'), 3_000_000);
        },
      }),
    );
    await overtaken.passes.archive.run();
    expect(await chunkCount(attempt)).toBe(1);
    expect(await text(attempt)).toBe(`${before}arrived meanwhile`);
    await archive(overtaken);
    expect([await chunkCount(attempt), await text(attempt)]).toEqual([0, `${before}arrived meanwhile`]);
  });

  it('tells a missing, a damaged and an unreachable blob apart', async () => {
    const attempt = await endedAttempt(6, 1000);
    await archive();
    const [path] = blobsOf(attempt);
    const whole = readFileSync(path!);
    const read = () => text(attempt);
    truncateSync(path!, 40);
    await expect(read()).rejects.toMatchObject({ code: 'blob-damaged' });
    const changed = Buffer.from(whole);
    changed[changed.length >> 1]! ^= 0xff;
    writeFileSync(path!, changed);
    await expect(read()).rejects.toMatchObject({ code: 'blob-damaged' });
    rmSync(path!);
    await expect(read()).rejects.toMatchObject({ code: 'blob-missing' });
    rmSync(join(directory.path, 'blobs'), { recursive: true });
    writeFileSync(join(directory.path, 'blobs'), '');
    await expect(read()).rejects.toMatchObject({ code: 'blob-store-unavailable' });
  });

  it('removes logs past retention with their blobs, also those it never archived', async () => {
    const [archived, late, unarchived] = [await endedAttempt(7, 1000), await endedAttempt(8, 1000), await endedAttempt(9, 1000)];
    await spine.sql.query('delete from log_chunks where attempt_id = $1', [unarchived.id]);
    await archive();
    await addChunk(late, 1, 900_000, Buffer.from('late'));
    await addChunk(unarchived, 1, 0, Buffer.from('never archived'));
    const forgetful = await server({ MEDLEY_LOG_RETENTION_DAYS: '0.0000001' });
    await archive(forgetful);
    for (const attempt of [archived, late, unarchived]) {
      expect([await chunkCount(attempt), blobsOf(attempt)]).toEqual([0, []]);
      await expect(text(attempt)).rejects.toMatchObject({ code: 'log-expired' });
    }
    await archive(forgetful);
    expect(await spine.sql.query(`select 1 from log_archives where stale_blobs <> '{}'`)).toEqual([]);
  });

  it('keeps logs in Postgres while the store is away, and while servers see different stores', async () => {
    const attempt = await endedAttempt(11, 1000);
    writeFileSync(join(directory.path, 'blobs'), 'no directory');
    expect(await replica.passes.archive.run()).toEqual({ wakeInMs: 60_000 });
    expect(await chunkCount(attempt)).toBeGreaterThan(0);
    rmSync(join(directory.path, 'blobs'));

    const elsewhere = temporaryDirectory('archive');
    const other = await server({ MEDLEY_DATA_DIR: elsewhere.path });
    await other.blobWatch.look();
    await archive();
    expect(replica.blobWatch.state).toMatchObject({ blobStore: 'not-shared', detail: expect.stringContaining('MEDLEY_S3_BUCKET') });
    expect(await chunkCount(attempt)).toBeGreaterThan(0);

    await other.blobWatch.beforeApplicationShutdown();
    await waitFor(async () => (await replica.blobWatch.look()) === 'ok');
    await archive();
    expect(await chunkCount(attempt)).toBe(0);
    elsewhere.remove();
  });
});
