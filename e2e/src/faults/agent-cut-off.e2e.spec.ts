import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentProgram, CuttableProxy, findProcessesByMarker, Journal, Stack, StartedRun, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shortLease } from './leases.js';

let stack: Stack;
let toServer: CuttableProxy;
let toRedis: CuttableProxy;
let far: AgentProgram;
const journal = new Journal();

beforeAll(async () => {
  let redisPort = 0;
  toRedis = await CuttableProxy.start(() => redisPort);
  stack = await Stack.start({ serverEnv: { ...shortLease, MEDLEY_REDIS_AGENT_PORT: String(toRedis.port) } });
  redisPort = stack.redis!.port;
  toServer = await CuttableProxy.start(() => stack.servers[0]!.port);
  far = await stack.addAgent({ name: 'far', serverUrl: `http://127.0.0.1:${toServer.port}` });
  await stack.addAgent({ name: 'near' });
});

beforeEach(() => untilNodes(stack.databaseUrl, ['far', 'near']));

afterAll(async () => {
  await stack?.stop();
  await Promise.all([toServer?.stop(), toRedis?.stop()]);
  journal.remove();
});

/** Starts a run whose first attempts go to the node that will be cut off, then cuts it off; the other node takes work again. */
async function startOnFarThenCut(name: string, tasks: Parameters<typeof StartedRun.of>[2]): Promise<StartedRun> {
  const [, near] = await untilNodes(stack.databaseUrl, ['far', 'near']);
  await stack.admin.patch(`/nodes/${near!.id}`, { cordoned: true });
  const run = await StartedRun.of(stack, name, tasks);
  await waitFor(() => new Set(journal.read(run.id).map(({ task }) => task)).size === Object.keys(tasks).length);
  toServer.cut();
  toRedis.cut();
  await stack.admin.patch(`/nodes/${near!.id}`, { cordoned: false });
  return run;
}

function restore(): void {
  toServer.restore();
  toRedis.restore();
}

const processesOf = (attemptId: string) => findProcessesByMarker(`MEDLEY_ATTEMPT_ID=${attemptId}`);

describe('an agent cut off for longer than its lease', () => {
  it('has stopped its process before the retry starts when the task says onLeaseLost: stop', async () => {
    const beating = 'if [ "$MEDLEY_FENCE" = 1 ]; then while :; do note beat; sleep 0.05; done; fi';
    const run = await startOnFarThenCut('stop', { work: journal.task(beating, { onLeaseLost: 'stop' }) });
    const first = await run.untilAttempt('work', ['running'], { fence: 1 });
    expect(processesOf(first.id).length).toBeGreaterThan(0);

    const retry = await run.untilAttempt('work', ['running', 'succeeded'], { fence: 2, pollMs: 10 });
    expect(processesOf(first.id)).toEqual([]);
    expect([first.node, retry.node]).toEqual(['far', 'near']);
    await run.ends('succeeded');

    const lastBeat = journal.of(run.id, 'work', 'beat').at(-1)!;
    const [, secondStart] = journal.of(run.id, 'work', 'start');
    expect(secondStart!.fence).toBe(2);
    expect(secondStart!.at > lastBeat.at).toBe(true);
    restore();
    await untilNodes(stack.databaseUrl, ['far', 'near']);
    expect((await run.attempts('work')).map(({ state, node }) => `${state} on ${node}`)).toEqual(['lost on far', 'succeeded on near']);
    expect(journal.of(run.id, 'work', 'end').map(({ fence }) => fence)).toEqual([2]);
  });

  it('may finish when the task says onLeaseLost: finish, but its late result is refused and what still runs is stopped on return', async () => {
    const gate = join(journal.path, 'gate');
    // Both first attempts go on while the node is cut off; one ends (badly) before it is back, the other would never end.
    const untilGate = `if [ "$MEDLEY_FENCE" = 1 ]; then while [ ! -e '${gate}' ]; do sleep 0.05; done; note late; echo late; exit 3; fi; echo retried`;
    const run = await startOnFarThenCut('finish', {
      ends: journal.task(untilGate, { onLeaseLost: 'finish' }),
      runs: journal.task('if [ "$MEDLEY_FENCE" = 1 ]; then sleep 3600; fi; echo retried', { onLeaseLost: 'finish' }),
    });
    const firstEnds = await run.untilAttempt('ends', ['running'], { fence: 1 });
    const firstRuns = await run.untilAttempt('runs', ['running'], { fence: 1 });

    await run.ends('succeeded');
    expect([processesOf(firstEnds.id).length > 0, processesOf(firstRuns.id).length > 0]).toEqual([true, true]);
    writeFileSync(gate, '');
    await waitFor(() => journal.of(run.id, 'ends', 'late').length === 1 && processesOf(firstEnds.id).length === 0);
    const before = await run.attempts();
    expect(existsSync(join(far.home, 'attempts', firstEnds.id))).toBe(true);

    restore();
    await untilNodes(stack.databaseUrl, ['far', 'near']);
    await waitFor(() => processesOf(firstRuns.id).length === 0, { describe: 'the process that nobody wants to be stopped' });
    // The agent forgets an attempt only when the server has answered its report.
    await waitFor(() => ![firstEnds, firstRuns].some(({ id }) => existsSync(join(far.home, 'attempts', id))));
    expect(await run.attempts()).toEqual(before);
    expect(before.map(({ task, state, node, exitCode }) => `${task}: ${state} on ${node}, ${exitCode}`)).toEqual([
      'ends: lost on far, null',
      'ends: succeeded on near, 0',
      'runs: lost on far, null',
      'runs: succeeded on near, 0',
    ]);
    expect(await run.state()).toBe('succeeded');
  });
});
