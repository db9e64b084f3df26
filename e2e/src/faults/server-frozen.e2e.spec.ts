import { setTimeout as delay } from 'node:timers/promises';
import { Journal, manyTasks, query, type ServerProgram, Stack, StartedRun, type TaskFields, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortLease, shortLeaseSeconds } from './leases.js';

const shortCount = 80;
const taskCount = 4 + shortCount + 1;
const frozenMs = 2 * shortLeaseSeconds * 1000;
let stack: Stack;
let second: ServerProgram;
const journal = new Journal();

beforeAll(async () => {
  stack = await Stack.start({ serverEnv: shortLease });
  await Promise.all([stack.addAgent({ name: 'north' }), stack.addAgent({ name: 'south' })]);
  await untilNodes(stack.databaseUrl, ['north', 'south']);
});

afterAll(async () => {
  for (const server of stack?.servers ?? []) server.resume();
  await stack?.stop();
  journal.remove();
});

/** Chains of short tasks and some that outlive the freeze, so that there are attempts of every kind at the moment of it. */
function mixedTasks(): Record<string, TaskFields> {
  const long = manyTasks('long', 4, () => journal.task(`sleep ${frozenMs / 1000 + 3}`));
  const short = manyTasks('short', shortCount, (index) => journal.task('sleep 0.1', index > 4 ? { needs: [`short-${index - 4}`] } : {}));
  return { ...long, ...short, last: journal.task('true', { needs: [...Object.keys(long), ...Object.keys(short)] }) };
}

/** Freezes a server while it holds locks in the database: the worst moment for those who need them. */
async function freezeInTransaction(server: ServerProgram): Promise<void> {
  const held = `select pid from pg_stat_activity where application_name = 'medley-server' and state = 'idle in transaction'
    and state_change < clock_timestamp() - interval '200 ms'`;
  await waitFor(
    async () => {
      server.pause();
      await delay(250);
      if ((await query(stack.databaseUrl, held)).length > 0) return true;
      server.resume();
      return false;
    },
    { pollMs: 20, timeoutMs: 60_000, describe: 'the server to be frozen inside a transaction' },
  );
}

async function expectOneAttemptEach(run: StartedRun): Promise<void> {
  const attempts = await run.attempts();
  expect(attempts.map(({ state, fence }) => `${state} ${fence}`)).toEqual(Array(taskCount).fill('succeeded 1'));
  expect(journal.read(run.id).filter(({ what }) => what === 'start')).toHaveLength(taskCount);
  expect(journal.doubleStarts(run.id)).toEqual([]);
}

describe('a server frozen for twice the lease', () => {
  it('loses no attempt when it was the only one', async () => {
    const run = await StartedRun.of(stack, 'lone-server', mixedTasks());
    await run.untilAttempt('short-5', ['running']);
    const [server] = stack.servers;
    server!.pause();
    await delay(frozenMs);
    expect(await run.state()).toBe('running');
    server!.resume();
    await run.ends('succeeded');
    await expectOneAttemptEach(run);
  });

  it('holds up no other server, not even when it was frozen inside a transaction', async () => {
    second = await stack.addServer();
    for (const agent of [...stack.agents]) {
      await agent.stop();
      stack.restartAgent(agent, { serverUrl: `${stack.url},${second.url}` });
    }
    await untilNodes(stack.databaseUrl, ['north', 'south']);
    const run = await StartedRun.of(stack, 'two-servers', mixedTasks());
    await run.untilAttempt('short-5', ['running']);
    const [first] = stack.servers;
    await freezeInTransaction(first!);
    const frozenAt = performance.now();
    const openShort = async () =>
      Object.entries(await run.taskStates()).filter(([key, state]) => key.startsWith('short') && state !== 'succeeded');
    expect(await openShort()).not.toEqual([]);
    // An agent needs up to 10 s to give up a request to the frozen server, Postgres 5 s to give up its locks.
    await waitFor(async () => (await openShort()).length === 0, {
      timeoutMs: 40_000,
      describe: 'the short tasks to end without the frozen server',
    });
    await delay(Math.max(0, frozenMs - (performance.now() - frozenAt)));
    first!.resume();
    await run.ends('succeeded');
    await expectOneAttemptEach(run);
  });
});
