import { setTimeout as delay } from 'node:timers/promises';
import { Journal, Stack, StartedRun, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortLease } from './leases.js';

const stoppedMs = 120_000;
const lineCount = 140;
let stack: Stack;
const journal = new Journal();

beforeAll(async () => {
  // A lease much shorter than the outage: nobody may be given up for what the database did.
  stack = await Stack.start({ durable: true, serverEnv: shortLease });
  await Promise.all([stack.addAgent({ name: 'north' }), stack.addAgent({ name: 'south' })]);
  await untilNodes(stack.databaseUrl, ['north', 'south']);
});

afterAll(async () => {
  await stack?.stop();
  journal.remove();
});

const counting = (lines: number) => `i=0; while [ $i -lt ${lines} ]; do i=$((i + 1)); echo "line $i"; sleep 1; done`;
const counted = (lines: number) => Array.from({ length: lines }, (_, index) => `line ${index + 1}\n`).join('');

describe('Postgres stopped for two minutes in the middle of a run', () => {
  it('costs no running task its life, no result and no line of output, and the server recovers by itself', async () => {
    const run = await StartedRun.of(stack, 'outage', {
      outlives: journal.task(counting(lineCount)),
      'ends-well': journal.task(counting(30)),
      'ends-badly': journal.task(`${counting(20)}; exit 9`),
      'after-outlives': journal.task('true', { needs: ['outlives'] }),
      'after-ends-well': journal.task('true', { needs: ['ends-well'] }),
      'after-ends-badly': journal.task('true', { needs: { 'ends-badly': 'failed' } }),
    });
    await waitFor(() => journal.read(run.id).length === 3);
    const pids = stack.servers.map((server) => server.pid);
    const processes = new Set(run.processes().map(({ pid }) => pid));
    await stack.postgres.child.stop({ signal: 'SIGINT', graceMs: 30_000 });
    const stoppedAt = performance.now();

    await waitFor(() => journal.of(run.id, 'ends-well', 'end').length === 1, { timeoutMs: 60_000 });
    await delay(stoppedMs - (performance.now() - stoppedAt));
    expect(run.processes().some(({ pid }) => processes.has(pid))).toBe(true);
    expect(stack.servers.map(({ pid, isRunning }) => [pid, isRunning])).toEqual(pids.map((pid) => [pid, true]));
    await stack.postgres.start();

    // The run has a task that failed, so it fails; what waited for that failure ran.
    await run.ends('failed', { timeoutMs: 90_000 });
    expect((await run.attempts()).map(({ task, fence, state, exitCode }) => [task, fence, state, exitCode])).toEqual([
      ['outlives', 1, 'succeeded', 0],
      ['ends-well', 1, 'succeeded', 0],
      ['ends-badly', 1, 'failed', 9],
      ['after-outlives', 1, 'succeeded', 0],
      ['after-ends-well', 1, 'succeeded', 0],
      ['after-ends-badly', 1, 'succeeded', 0],
    ]);
    expect(journal.doubleStarts(run.id)).toEqual([]);
    expect(await run.log('outlives')).toBe(counted(lineCount));
    expect(await run.log('ends-well')).toBe(counted(30));
    expect(await run.log('ends-badly')).toBe(counted(20));
  });
});
