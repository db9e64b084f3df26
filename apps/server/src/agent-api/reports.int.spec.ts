import { randomBytes } from 'node:crypto';
import type { Report } from '@medley/contracts';
import { uuidv7 } from '@medley/database';
import { waitFor } from '@medley/testing';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import { finished, logOf, type Replica } from '../testing/replica.fixture.js';
import { type AttemptRow, Spine } from '../testing/spine.fixture.js';

describe('reports', () => {
  let spine: Spine;
  let replica: Replica;
  let other: Replica;
  let pool: { id: string; name: string };
  let nodes: string[];

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    [replica, other] = await Promise.all([spine.replica(), spine.replica()]);
    pool = await spine.addPool();
    nodes = [await spine.addNode(pool.id), await spine.addNode(pool.id)];
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  async function running(count = 1): Promise<{ runId: string; attempts: AttemptRow[] }> {
    const tasks = Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, {}]));
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    return { runId, attempts: [...(await replica.runReady(runId)).values()] };
  }

  async function logOfAttempt(attemptId: string): Promise<Buffer> {
    const rows = await spine.sql.query<{ byte_offset: string; data: Buffer }>(
      'select byte_offset, data from log_chunks where attempt_id = $1 and stream = 1 order by byte_offset',
      [attemptId],
    );
    return Buffer.concat(rows.map((row) => row.data));
  }

  it('applies the reports of an attempt in order and acknowledges what is committed', async () => {
    const { runId, attempts } = await running();
    const attempt = attempts[0]!;
    expect(await replica.report(attempt, [{ type: 'started' }, logOf('one'), logOf('two', 3)])).toEqual({
      attemptId: attempt.id,
      fence: attempt.fence,
      sequence: 3,
      refused: null,
    });
    expect((await replica.report(attempt, [finished('succeeded')], 4)).sequence).toBe(4);
    expect(await logOfAttempt(attempt.id)).toEqual(Buffer.from('onetwo'));
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('tells apart what only grows a log and what changes an attempt', async () => {
    const { attempts } = await running();
    const attempt = attempts[0]!;
    const told: string[] = [];
    const listening = replica.bus.changes.subscribe((changes) => {
      told.push(...changes.filter(({ id }) => id === attempt.id).map(({ entity }) => entity));
    });
    await replica.report(attempt, [{ type: 'started' }, logOf('one')]);
    await replica.report(attempt, [logOf('two', 3)], 3);
    expect(told).toEqual(['attempt', 'log']);
    await replica.report(attempt, [logOf('three', 6), finished('succeeded')], 4);
    expect(told.slice(2)).toContain('attempt');
    listening.unsubscribe();
  });

  it('acknowledges only up to a gap, applies nothing behind it, and goes on when it is filled', async () => {
    const { runId, attempts } = await running();
    const attempt = attempts[0]!;
    await replica.report(attempt, [{ type: 'started' }]);
    expect((await replica.report(attempt, [finished('succeeded')], 3)).sequence).toBe(1);
    expect((await spine.run(runId)).state).toBe('running');
    expect((await replica.report(attempt, [logOf('late'), finished('succeeded')], 2)).sequence).toBe(3);
    expect((await spine.run(runId)).state).toBe('succeeded');
  });

  it('takes repeated and overlapping reports once, also when two servers get them at the same time', async () => {
    const { runId, attempts } = await running();
    const attempt = attempts[0]!;
    const bodies = [{ type: 'started' as const }, logOf('abc'), finished('failed')];
    const acks = await Promise.all([replica.report(attempt, bodies), other.report(attempt, bodies)]);
    expect(acks.map(({ sequence, refused }) => ({ sequence, refused }))).toEqual([
      { sequence: 3, refused: null },
      { sequence: 3, refused: null },
    ]);
    expect(await replica.report(attempt, bodies.slice(1), 2)).toMatchObject({ sequence: 3, refused: null });
    expect(await logOfAttempt(attempt.id)).toEqual(Buffer.from('abc'));
    expect((await spine.taskRuns(runId)).get('t0')).toMatchObject({ state: 'failed', tries: 1 });
  });

  it('keeps logs byte by byte: binary, and characters cut at a chunk border', async () => {
    const { attempts } = await running();
    const binary = Buffer.concat([randomBytes(70_000), Buffer.from('日志 журнал 🚀'), Buffer.alloc(10)]);
    const cut = 70_001; // inside the first character
    await replica.report(attempts[0]!, [logOf(binary.subarray(0, cut)), logOf(binary.subarray(cut), cut)]);
    expect(await logOfAttempt(attempts[0]!.id)).toEqual(binary);
  });

  it('refuses another node, another fence and an unknown attempt', async () => {
    const { runId, attempts } = await running();
    const attempt = attempts[0]!;
    const elsewhere = nodes.find((id) => id !== attempt.node_id)!;
    const acks = [
      await replica.report(attempt, [finished('succeeded')], 1, elsewhere),
      await replica.report({ ...attempt, fence: attempt.fence + 1 }, [finished('succeeded')]),
      await replica.report({ ...attempt, id: uuidv7() }, [finished('succeeded')]),
    ];
    for (const ack of acks) expect(ack).toMatchObject({ sequence: 0, refused: expect.any(String) });
    expect((await spine.run(runId)).state).toBe('running');
  });

  it('keeps the log of an attempt that was lost and refuses its result, also when it is asked again', async () => {
    const { runId, attempts } = await running();
    const attempt = attempts[0]!;
    await replica.report(attempt, [{ type: 'started' }]);
    await replica.end([{ attemptId: attempt.id, outcome: 'lost' }]);
    const late = [logOf('still running'), finished('succeeded')];
    const ack = await replica.report(attempt, late, 2);
    const again = await other.report(attempt, late, 2);

    expect(ack).toMatchObject({ sequence: 3, refused: expect.any(String) });
    expect(again).toMatchObject({ sequence: 3, refused: expect.any(String) });
    expect(await logOfAttempt(attempt.id)).toEqual(Buffer.from('still running'));
    expect(await spine.attempt(runId, 't0')).toMatchObject({ state: 'lost' });
    expect(await spine.taskStates(runId)).toEqual({ t0: 'ready' });
  });

  it('stores a success that comes for a run that is being cancelled as cancelled', async () => {
    const { runId, attempts } = await running();
    await replica.cancel(runId);
    expect(await replica.report(attempts[0]!, [finished('succeeded')])).toMatchObject({ sequence: 1, refused: null });
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('never lets what one agent sends fail the reports of another', async () => {
    const { runId, attempts } = await running(4);
    const strange = [
      { type: 'log' as const, stream: 'stdout' as const, offset: Number.MAX_SAFE_INTEGER, data: 'not base64 at all!!' },
      finished('failed', {
        exitCode: 4_294_967_295,
        signal: 'SIG\0TERM',
        detail: 'nul \0 and \ud800',
        explanation: { code: 'of-tomorrow', values: { 'k\0': ['nul \0 and \ud800'] } },
      }),
    ];
    const acks = await Promise.all(
      attempts.map((attempt, index) => replica.report(attempt, index === 0 ? strange : [finished('succeeded')])),
    );
    expect(acks.map(({ refused }) => refused)).toEqual([null, null, null, null]);
    expect(await spine.taskStates(runId)).toEqual({ t0: 'failed', t1: 'succeeded', t2: 'succeeded', t3: 'succeeded' });
    expect(await spine.attempt(runId, 't0')).toMatchObject({
      exit_code: -1,
      explanation: { code: 'of-tomorrow', values: { 'k\ufffd': ['nul \ufffd and \ufffd'] } },
    });
    expect((await spine.taskRuns(runId)).get('t0')!.reason).toMatchObject({ explanation: { code: 'as-told' } });
  });

  it('splits a batch whose logs are too large for one statement', async () => {
    const { attempts } = await running(3);
    const mebibyte = Buffer.alloc(1_000_000, 'x');
    const acks = await Promise.all(
      attempts.map((attempt) =>
        replica.report(
          attempt,
          Array.from({ length: 5 }, (_, index) => logOf(mebibyte, index * mebibyte.length)),
        ),
      ),
    );
    expect(acks.map(({ sequence }) => sequence)).toEqual([5, 5, 5]);
    const [committed] = await spine.sql.query<{ transactions: number }>(
      'select count(distinct xmin::text)::int as transactions from log_chunks where attempt_id = any($1)',
      [attempts.map(({ id }) => id)],
    );
    expect(committed!.transactions).toBe(3);
  });

  it('holds no counter of a node while it waits for an attempt that another transaction holds', async () => {
    const { attempts } = await running(2);
    const [ending, logging] = attempts as [AttemptRow, AttemptRow];
    const held = await spine.hold('select id from attempts where id = $1 for update', [logging.id]);
    const both: Report[] = [
      { attemptId: ending.id, fence: ending.fence, sequence: 1, body: finished('succeeded') },
      { attemptId: logging.id, fence: logging.fence, sequence: 1, body: logOf('x') },
    ];
    const reported = Promise.all(
      nodes.map((nodeId) =>
        replica.reports.report(
          nodeId,
          both.filter(({ attemptId }) => attempts.find(({ id }) => id === attemptId)!.node_id === nodeId),
        ),
      ),
    );
    await waitFor(async () => (await spine.waitingForLocks()) > 0);
    await held.query(`set local lock_timeout = '300ms'`, []);
    await held.query('select 1 from node_usage order by node_id for update', []);
    await held.release();
    expect((await reported).flat().map(({ sequence }) => sequence)).toEqual([1, 1]);
  });
});
