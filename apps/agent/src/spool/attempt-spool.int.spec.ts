import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '@medley/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AttemptSpool, DISK_SHORT_MARKER } from './attempt-spool.js';

const ref = { attemptId: '0190a000-0000-7000-8000-00000000000a', fence: 3 };
const finished = { type: 'finished', outcome: 'succeeded', exitCode: 0, signal: null, detail: null, runSeconds: 1 } as const;
const budget = () => ({ reports: 1000, bytes: 3_000_000 });

describe('the spool of an attempt', () => {
  let directory: string;
  let acknowledgedEnd = 0;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'medley-spool-'));
    acknowledgedEnd = 0;
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const open = (logCapBytes = 1_000_000) => {
    const onAcknowledged = () => {
      acknowledgedEnd += 1;
    };
    return new AttemptSpool({ directory, ref, logCapBytes, onAcknowledged, onRefused: () => undefined });
  };
  const print = (text: string | Buffer) => appendFileSync(join(directory, 'stdout'), text);
  /** A directory in the place of the file: every write fails, even for root. */
  const breakDisk = () => {
    rmSync(join(directory, 'reports'), { force: true });
    mkdirSync(join(directory, 'reports'));
    return () => rmSync(join(directory, 'reports'), { recursive: true });
  };
  const shown = (reports: Report[]) =>
    reports.map(({ sequence, body }) =>
      body.type === 'log' ? `${sequence} ${Buffer.from(body.data, 'base64').toString()}` : `${sequence} ${body.type}`,
    );

  it('numbers what is sent, in order, and sends the same again until it is acknowledged', async () => {
    const spool = open();
    spool.started();
    print('one');
    expect(shown((await spool.take(budget())).reports)).toEqual(['1 started', '2 one']);
    print('two');
    expect(shown((await spool.take(budget())).reports)).toEqual(['1 started', '2 one', '3 two']);
    spool.acknowledge(2);
    spool.finish(finished);
    expect(shown((await spool.take(budget())).reports)).toEqual(['3 two', '4 finished']);
    expect(acknowledgedEnd).toBe(0);
    spool.acknowledge(4);
    expect(acknowledgedEnd).toBe(1);
  });

  it('gives a sequence the same content after a crash, though the output has grown', async () => {
    const first = open();
    first.started();
    print('one');
    await first.take(budget());
    print('two');
    const second = open();
    await second.restore(true);
    expect(shown((await second.take(budget())).reports)).toEqual(['1 started']);
    second.acknowledge(1);
    expect(shown((await second.take(budget())).reports)).toEqual(['2 one', '3 two']);
  });

  it('skips what the server had committed before the crash', async () => {
    const first = open();
    first.started();
    print('one');
    first.finish(finished);
    await first.take(budget());
    const second = open();
    await second.restore(true);
    expect(second.isFinished).toBe(true);
    await second.take(budget());
    second.acknowledge(3);
    expect(acknowledgedEnd).toBe(1);
  });

  it('survives a line that a crash cut off', async () => {
    const first = open();
    first.started();
    print('one');
    await first.take(budget());
    const path = join(directory, 'reports');
    appendFileSync(path, '{"type":"log","seq');
    const second = open();
    await second.restore(true);
    second.acknowledge(1);
    print('two');
    expect(shown((await second.take(budget())).reports)).toEqual(['2 one', '3 two']);
    expect(
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).sequence),
    ).toEqual([2, 3]);
  });

  it('remembers why it was stopping', async () => {
    await open().noteStop('timed_out');
    expect(await open().restore(true)).toBe('timed_out');
  });

  it('sends no output whose line could not be written, and goes on when the disk takes it', async () => {
    const spool = open();
    spool.started();
    print('one');
    await spool.take(budget());
    print('two');
    const repair = breakDisk();
    await expect(spool.take(budget())).rejects.toThrow();
    repair();
    print('three');
    expect(shown((await spool.take(budget())).reports)).toEqual(['1 started', '2 one', '3 twothree']);
    expect(readFileSync(join(directory, 'reports'), 'utf8')).toContain('"sequence":3');
  });

  it('sends the end even when the disk takes nothing at all', async () => {
    const spool = open();
    spool.started();
    breakDisk();
    print('lost');
    await spool.dropLogs().catch(() => undefined);
    spool.finish(finished);
    expect(shown((await spool.take(budget())).reports)).toEqual(['1 started', `2 ${DISK_SHORT_MARKER}\n`, '3 finished']);
  });

  it('ends the log at its cap, at a whole character, with one marker', async () => {
    const spool = open(5);
    spool.started();
    print('排程排');
    const marker = '3 medley: the log is capped at 5 bytes; later output was not kept\n';
    expect(shown((await spool.take(budget())).reports)).toEqual(['1 started', '2 排', marker]);
    const next = open(5);
    await next.restore(true);
    next.acknowledge(3);
    print('x'.repeat(100));
    next.finish(finished);
    expect(shown((await next.take(budget())).reports)).toEqual(['4 finished']);
  });

  it('keeps an unfinished character for the next chunk, and sends it as it is at the end', async () => {
    const spool = open();
    const bytes = Buffer.from('排');
    print(bytes.subarray(0, 2));
    expect((await spool.take(budget())).reports).toEqual([]);
    print(bytes.subarray(2));
    print(bytes.subarray(0, 1));
    expect(shown((await spool.take(budget())).reports)).toEqual(['1 排']);
    spool.finish(finished);
    const { reports } = await spool.take(budget());
    expect(reports[1]?.body).toMatchObject({ type: 'log', offset: 3, data: bytes.subarray(0, 1).toString('base64') });
  });

  it('sends numbered output empty once it has been dropped, so that the end still arrives', async () => {
    const spool = open();
    spool.started();
    print('one');
    await spool.take(budget());
    await spool.dropLogs();
    print('never');
    spool.finish(finished);
    expect(shown((await spool.take(budget())).reports)).toEqual(['1 started', '2 ', `3 ${DISK_SHORT_MARKER}\n`, '4 finished']);
  });

  it('keeps within the budget of a request and says that there is more', async () => {
    const spool = open(10_000_000);
    print('x'.repeat(1_500_000));
    const { reports, more } = await spool.take(budget());
    expect(more).toBe(true);
    expect(reports.length).toBeLessThanOrEqual(2);
    expect((await spool.take({ reports: 1, bytes: 3_000_000 })).reports).toHaveLength(1);
  });
});
