import { type AgentProgram, endProcessesByMarker, Journal, Stack, StartedRun, type StoredNode, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortLease } from './leases.js';

let stack: Stack;
let nodes: Record<string, StoredNode>;
let agents: Record<string, AgentProgram>;
const journal = new Journal();

beforeAll(async () => {
  stack = await Stack.start({ serverEnv: shortLease });
  const [north, south] = await Promise.all([stack.addAgent({ name: 'north' }), stack.addAgent({ name: 'south' })]);
  agents = { north, south };
  const found = await untilNodes(stack.databaseUrl, ['north', 'south']);
  nodes = Object.fromEntries(found.map((node) => [node.name, node]));
});

afterAll(async () => {
  await stack?.stop();
  journal.remove();
});

const other = (name: string) => (name === 'north' ? 'south' : 'north');

/** The machine is gone: the agent and everything that ran under it, known by its home, since other stacks on this machine have a node of that name too. */
async function loseMachine(name: string): Promise<void> {
  await agents[name]!.kill9();
  await endProcessesByMarker(agents[name]!.home);
}

describe('a node that dies', () => {
  it('has its attempt lost and tried again on another node, and gives back what it held', async () => {
    const run = await StartedRun.of(stack, 'dies', {
      work: journal.task('if [ "$MEDLEY_FENCE" = 1 ]; then sleep 3600; fi'),
    });
    const first = await run.untilAttempt('work', ['running']);
    await waitFor(() => journal.read(run.id).length === 1);
    await loseMachine(first.node);
    await run.ends('succeeded');
    const attempts = await run.attempts();
    expect(attempts.map(({ state, node, reservation }) => [state, node, reservation])).toEqual([
      ['lost', first.node, 'released'],
      ['succeeded', other(first.node), 'released'],
    ]);
    expect(attempts[0]!.detail).toContain('silent for longer than the lease');
    // A lost attempt is not the task's fault: it had one try, and used one.
    expect((await run.taskRun('work')).tries).toBe(1);

    agents[first.node] = stack.restartAgent(agents[first.node]!);
    await untilNodes(stack.databaseUrl, ['north', 'south']);
  });

  it('gets no new work from the moment it is silent, before its lease is over', async () => {
    await agents.north!.kill9();
    await untilNodes(stack.databaseUrl, ['north'], 'unreachable');
    const run = await StartedRun.of(stack, 'elsewhere', Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, journal.task('true')])));
    await run.ends('succeeded', { timeoutMs: 5_000 });
    expect(new Set((await run.attempts()).map(({ node }) => node))).toEqual(new Set(['south']));
    agents.north = stack.restartAgent(agents.north!);
    await untilNodes(stack.databaseUrl, ['north', 'south']);
  });
});

describe('a draining node', () => {
  it('finishes what it runs and takes nothing new', async () => {
    const gate = `while [ ! -e "$JOURNAL/open" ]; do sleep 0.05; done`;
    const run = await StartedRun.of(stack, 'drained', { work: journal.task(gate) });
    const { node } = await run.untilAttempt('work', ['running']);
    await stack.admin.patch(`/nodes/${nodes[node]!.id}`, { draining: true });
    const next = await StartedRun.of(
      stack,
      'after-drain',
      Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, journal.task('true')])),
    );
    await next.ends('succeeded');
    expect(new Set((await next.attempts()).map((attempt) => attempt.node))).toEqual(new Set([other(node)]));
    expect(await run.state()).toBe('running');

    await stack.admin.patch(`/nodes/${nodes[other(node)]!.id}`, { draining: true });
    const waiting = await StartedRun.of(stack, 'all-drain', { wait: journal.task('true') });
    await waitFor(async () => (await waiting.taskStates()).wait === 'blocked');
    expect((await waiting.why('wait')).reason).toMatchObject({ code: 'no-eligible-node' });

    journal.openGate('open');
    await run.ends('succeeded');
    expect((await run.attempts()).map((attempt) => [attempt.node, attempt.state])).toEqual([[node, 'succeeded']]);
    for (const { id } of Object.values(nodes)) await stack.admin.patch(`/nodes/${id}`, { draining: false });
    await waiting.ends('succeeded');
  });
});
