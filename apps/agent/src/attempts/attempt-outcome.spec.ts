import { phrase, sayPhrase } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { type AttemptEnd, finishedBodyOf, signalOfStatus } from './attempt-outcome.js';

const end = (values: Partial<AttemptEnd>): AttemptEnd => ({
  status: 0,
  problem: null,
  stopIntent: null,
  timeoutSeconds: null,
  memoryKills: 0,
  memoryMib: 0,
  runSeconds: 1,
  ...values,
});

describe('how an attempt ended', () => {
  it('is decided by the status when nobody stopped it', () => {
    expect(finishedBodyOf(end({}))).toMatchObject({ outcome: 'succeeded', exitCode: 0 });
    expect(finishedBodyOf(end({ status: 2 }))).toMatchObject({ outcome: 'failed', exitCode: 2 });
    expect(finishedBodyOf(end({ status: null, problem: phrase('wrapper-killed', { signal: 'SIGKILL' }) }))).toMatchObject({
      outcome: 'failed',
      exitCode: null,
      detail: 'its wrapper was killed by SIGKILL',
      explanation: { code: 'wrapper-killed', values: { signal: 'SIGKILL' } },
    });
  });

  it('is decided by the stop when there was one, even with status 0', () => {
    expect(finishedBodyOf(end({ stopIntent: 'timed_out', timeoutSeconds: 3 }))).toMatchObject({
      outcome: 'timed_out',
      detail: 'timed out after 3 s',
    });
    expect(finishedBodyOf(end({ stopIntent: 'cancelled' }))).toMatchObject({ outcome: 'cancelled' });
    expect(finishedBodyOf(end({ stopIntent: 'lease_lost' })).detail).toContain('lease lost');
  });

  it('names a lack of memory only for a failure', () => {
    expect(finishedBodyOf(end({ status: 137, memoryKills: 1, memoryMib: 64 })).detail).toContain('64 MiB');
    expect(finishedBodyOf(end({ status: 0, memoryKills: 1, memoryMib: 64 })).detail).toBeNull();
  });

  it('is told with all its reasons, in English and as phrases, these only while they are short', () => {
    const given = { ok: false as const, fault: phrase('outputs-too-many', { count: 101, limit: 100 }) };
    const told = finishedBodyOf(end({ status: 137, memoryKills: 1, memoryMib: 64, given }));
    expect(told.detail).toBe('killed for lack of memory: the task may use 64 MiB; it gave 101 outputs, more than the 100 that are kept');
    expect(sayPhrase(told.explanation!, 'zh-CN')).toBe('内存不足被终止：任务最多可用 64 MiB；给出了 101 个输出，超过可保存的 100 个');
    const long = finishedBodyOf(end({ status: 1, problem: phrase('as-told', { text: 'x'.repeat(9000) }) }));
    expect([long.detail?.length, long.explanation]).toEqual([4000, undefined]);
  });

  it.each([
    [137, 'SIGKILL'],
    [143, 'SIGTERM'],
    [128, null],
    [1, null],
    [255, null],
    [null, null],
  ])('reads status %s as signal %s', (status, signal) => {
    expect(signalOfStatus(status)).toBe(signal);
  });
});
