import { describeProcesses, Journal, Stack, StartedRun, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stack: Stack;
const journal = new Journal();

beforeAll(async () => {
  stack = await Stack.start();
  // One core: a task that asks for it makes every other one wait.
  await stack.addAgent({ name: 'only', capacityCap: { cpuMillis: 1000 } });
  await untilNodes(stack.databaseUrl, ['only']);
});

afterAll(async () => {
  await stack?.stop();
  journal.remove();
});

const wholeNode = { resources: { cpu: 1 } };

describe('a cancelled run', () => {
  it('shows as cancelled only after its whole process tree is gone, a daemon in a session of its own included', async () => {
    // The daemon is forked twice, in a new session, adopted by init and deaf to everything but SIGKILL.
    const script = `( setsid sh -c 'trap "" TERM HUP INT; echo "daemon" >> "$JOURNAL/daemon"; while :; do sleep 1; done' & )
sh -c 'trap "" TERM; while :; do sleep 1; done' &
sleep 600`;
    const run = await StartedRun.of(stack, 'tree', { tree: journal.task(script) });
    await waitFor(() => run.processes().length >= 6, { describe: () => describeProcesses(run.processes()) });
    await stack.admin.post(`/runs/${run.id}/cancel`);
    const seen = new Set<string>();
    await waitFor(
      async () => {
        // The state first: what it says must already be true of the processes.
        const { state } = await run.view();
        const attempt = (await run.attempts())[0]!.state;
        const left = run.processes();
        seen.add(state);
        if (state === 'cancelled' || attempt === 'cancelled') expect(describeProcesses(left)).toBe('');
        return state === 'cancelled';
      },
      { timeoutMs: 60_000, pollMs: 10 },
    );
    expect([...seen]).toEqual(['cancelling', 'cancelled']);
    expect(await run.taskStates()).toEqual({ tree: 'cancelled' });
  });

  it('gives its slot to a waiter within seconds', async () => {
    const holder = await StartedRun.of(stack, 'holder', { hold: journal.task('sleep 600', wholeNode) });
    await waitFor(() => journal.read(holder.id).length === 1);
    const waiter = await StartedRun.of(stack, 'waiter', { wait: journal.task('true', wholeNode) });
    await waitFor(async () => (await waiter.taskStates()).wait === 'blocked');
    expect((await waiter.why('wait')).reason).toMatchObject({ code: 'no-capacity' });

    const cancelledAt = performance.now();
    await stack.admin.post(`/runs/${holder.id}/cancel`);
    await waiter.ends('succeeded');
    expect(performance.now() - cancelledAt).toBeLessThan(5_000);
    expect(await holder.state()).toBe('cancelled');
  });

  it('never starts what was waiting for a node', async () => {
    const holder = await StartedRun.of(stack, 'holder', { hold: journal.task('sleep 600', wholeNode) });
    await waitFor(() => journal.read(holder.id).length === 1);
    const waiter = await StartedRun.of(stack, 'waiter', {
      wait: journal.task('true', wholeNode),
      next: journal.task('true', { needs: ['wait'] }),
    });
    await stack.admin.post(`/runs/${waiter.id}/cancel`);
    expect(await waiter.state()).toBe('cancelled');
    await stack.admin.post(`/runs/${holder.id}/cancel`);
    await holder.ends('cancelled');
    const probe = await StartedRun.of(stack, 'probe', { probe: journal.task('true', wholeNode) });
    await probe.ends('succeeded');
    expect([await waiter.taskStates(), await waiter.attempts(), journal.read(waiter.id)]).toEqual([
      { wait: 'cancelled', next: 'cancelled' },
      [],
      [],
    ]);
  });
});

describe('a task beyond its timeout', () => {
  it('is timed out even when it answers SIGTERM with success, and its slot is free', async () => {
    const run = await StartedRun.of(stack, 'timeout', {
      polite: journal.task(`trap 'exit 0' TERM; sleep 600 & wait`, { timeout: '1s', ...wholeNode }),
      after: journal.task('true', { needs: ['polite'] }),
    });
    await run.ends('failed');
    expect(await run.taskStates()).toEqual({ polite: 'failed', after: 'skipped' });
    expect((await run.attempts()).map(({ state }) => state)).toEqual(['timed_out']);
    expect(run.processes()).toEqual([]);
    const next = await StartedRun.of(stack, 'next', { next: journal.task('true', wholeNode) });
    await next.ends('succeeded', { timeoutMs: 5_000 });
  });

  it('is tried again when its retries allow it, after the first try is gone', async () => {
    const script = 'if [ "$MEDLEY_FENCE" = 1 ]; then while :; do note beat; sleep 0.05; done; fi';
    const run = await StartedRun.of(stack, 'timeout-retry', {
      slow: journal.task(script, { timeout: '1s', retry: { attempts: 2, delay: '0s' } }),
    });
    await run.ends('succeeded');
    expect((await run.attempts()).map(({ state }) => state)).toEqual(['timed_out', 'succeeded']);
    const second = journal.of(run.id, 'slow', 'start')[1]!;
    expect(second.at > journal.of(run.id, 'slow', 'beat').at(-1)!.at).toBe(true);
  });
});
