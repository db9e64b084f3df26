import { type AgentProgram, Journal, Stack, StartedRun, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const lineCount = 80;
let stack: Stack;
let agent: AgentProgram;
const journal = new Journal();

beforeAll(async () => {
  stack = await Stack.start();
  agent = await stack.addAgent({ name: 'only' });
  await untilNodes(stack.databaseUrl, ['only']);
});

afterAll(async () => {
  await stack?.stop();
  journal.remove();
});

const counting = `i=0; while [ $i -lt ${lineCount} ]; do i=$((i + 1)); echo "line $i of 任务"; echo "err $i" >&2; sleep 0.1; done`;

async function killAndRestart(): Promise<void> {
  await agent.kill9();
  agent = stack.restartAgent(agent);
}

describe('an agent killed by SIGKILL and started again', () => {
  it('adopts its running processes: same attempt, every line of output once', async () => {
    const run = await StartedRun.of(stack, 'adopted', { count: journal.task(counting), after: journal.task('true', { needs: ['count'] }) });
    const attempt = await run.untilAttempt('count', ['running']);
    await waitFor(async () => (await run.log('count')).includes('line 10 '));
    const [process] = run.processes();
    await killAndRestart();
    await waitFor(async () => (await run.log('count')).includes('line 30 '));
    await killAndRestart();
    expect(run.processes().map(({ pid }) => pid)).toContain(process!.pid);
    await run.ends('succeeded');

    const [only, ...others] = await run.attempts('count');
    expect(others).toEqual([]);
    expect([only!.id, only!.fence, only!.state]).toEqual([attempt.id, 1, 'succeeded']);
    expect(journal.doubleStarts(run.id)).toEqual([]);
    const expected = Array.from({ length: lineCount }, (_, index) => `line ${index + 1} of 任务\n`).join('');
    expect(await run.log('count')).toBe(expected);
    expect(await run.log('count', 'stderr')).toBe(expected.replaceAll('line', 'err').replaceAll(' of 任务', ''));
    await waitFor(() => run.processes().length === 0);
  });

  it('reports what ended while it was away, with its own exit code', async () => {
    const run = await StartedRun.of(stack, 'ended-alone', {
      good: journal.task('sleep 1; echo fine'),
      bad: journal.task('sleep 1; echo broken; exit 7'),
    });
    await waitFor(() => journal.read(run.id).length === 2);
    await agent.kill9();
    await waitFor(() => run.processes().length === 0);
    agent = stack.restartAgent(agent);
    await run.ends('failed');
    expect((await run.attempts()).map(({ task, state, exitCode }) => [task, state, exitCode])).toEqual([
      ['good', 'succeeded', 0],
      ['bad', 'failed', 7],
    ]);
    expect([await run.log('good'), await run.log('bad')]).toEqual(['fine\n', 'broken\n']);
  });

  it('stops what was cancelled while it was away, before it takes new work', async () => {
    const run = await StartedRun.of(stack, 'cancelled-meanwhile', { long: journal.task('sleep 600') });
    await waitFor(() => journal.read(run.id).length === 1);
    await agent.kill9();
    await stack.admin.post(`/runs/${run.id}/cancel`);
    expect(await run.state()).toBe('cancelling');
    agent = stack.restartAgent(agent);
    await run.ends('cancelled');
    expect(run.processes()).toEqual([]);
    expect(journal.of(run.id, 'long', 'end')).toEqual([]);
  });
});
