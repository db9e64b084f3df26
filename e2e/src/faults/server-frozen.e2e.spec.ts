import { setTimeout as delay } from 'node:timers/promises';
import { Journal, manyTasks, type ServerProgram, Stack, StartedRun, type TaskFields, untilNodes } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortLease, shortLeaseSeconds } from './leases.js';

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
  const short = manyTasks('short', 40, (index) => journal.task('sleep 0.3', index > 4 ? { needs: [`short-${index - 4}`] } : {}));
  return { ...long, ...short, last: journal.task('true', { needs: [...Object.keys(long), ...Object.keys(short)] }) };
}

async function expectOneAttemptEach(run: StartedRun): Promise<void> {
  const attempts = await run.attempts();
  expect(attempts.map(({ state, fence }) => `${state} ${fence}`)).toEqual(Array(45).fill('succeeded 1'));
  expect(journal.read(run.id).filter(({ what }) => what === 'start')).toHaveLength(45);
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

  it('does not hold up the agents that know another server', async () => {
    second = await stack.addServer();
    for (const agent of [...stack.agents]) {
      await agent.stop();
      stack.restartAgent(agent, { serverUrl: `${stack.url},${second.url}` });
    }
    await untilNodes(stack.databaseUrl, ['north', 'south']);
    const run = await StartedRun.of(stack, 'two-servers', mixedTasks());
    await run.untilAttempt('short-5', ['running']);
    const [first] = stack.servers;
    first!.pause();
    await delay(frozenMs);
    const states = await run.taskStates();
    first!.resume();
    expect(Object.entries(states).filter(([key, state]) => key.startsWith('short') && state !== 'succeeded')).toEqual([]);
    await run.ends('succeeded');
    await expectOneAttemptEach(run);
  });
});
