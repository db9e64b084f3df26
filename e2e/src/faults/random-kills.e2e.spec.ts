import { setTimeout as delay } from 'node:timers/promises';
import {
  describeProcesses,
  guardTransitions,
  Journal,
  pick,
  readHeldResources,
  Stack,
  StartedRun,
  seededRandom,
  untilNodes,
  waitFor,
} from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aLayeredDag, expectedOutput } from './layered-dag.js';
import { shortLease } from './leases.js';

const seed = Number(process.env.MEDLEY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const kills = 50;
const layers = 25;
const width = 8;
const taskCount = layers * width;
const victims = ['server', 'agent', 'redis', 'postgres'] as const;

let stack: Stack;
const journal = new Journal();
const story: string[] = [];

beforeAll(async () => {
  // Postgres is killed as well, so what it has committed must be on disk.
  stack = await Stack.start({ durable: true, serverEnv: shortLease });
  await guardTransitions(stack.databaseUrl);
  for (const name of ['north', 'south', 'west']) await stack.addAgent({ name });
  await untilNodes(stack.databaseUrl, ['north', 'south', 'west']);
});

afterAll(async () => {
  await stack?.stop();
  journal.remove();
});

/** SIGKILL by pid and start again at once. Agents are given no time to be ready: the next kill may find them starting. */
async function killAndRestart(victim: (typeof victims)[number], random: () => number): Promise<void> {
  if (victim === 'agent') {
    const agent = pick(stack.agents, random);
    story.push(`agent ${agent.name} ${agent.pid}`);
    await agent.kill9();
    stack.restartAgent(agent);
  } else if (victim === 'server') {
    const server = stack.servers.at(-1)!;
    story.push(`server ${server.pid}`);
    await server.kill9();
    await stack.addServer({ port: server.port });
  } else {
    const service = victim === 'redis' ? stack.redis! : stack.postgres;
    story.push(`${victim} ${service.pid}`);
    await service.kill9();
    await service.start();
  }
}

const finished = (run: StartedRun) => journal.read(run.id).filter(({ what }) => what === 'end').length;

/** Kills at moments spread over the whole run: each when so many tasks have ended, and a random moment later. */
async function killAtRandomMoments(run: StartedRun, random: () => number): Promise<void> {
  const thresholds = Array.from({ length: kills }, () => Math.floor(random() * (taskCount - 10))).sort((left, right) => left - right);
  for (const threshold of thresholds) {
    await waitFor(() => finished(run) >= threshold, {
      timeoutMs: 90_000,
      describe: () => `${threshold} tasks to end; ${finished(run)} have`,
    });
    await delay(random() * 300);
    await killAndRestart(pick(victims, random), random);
  }
}

describe(`SIGKILL at ${kills} random moments (seed ${seed}; repeat with MEDLEY_TEST_SEED)`, () => {
  it(`leaves a run of ${taskCount} tasks complete, each succeeded exactly as its attempts say, and no process behind`, async () => {
    const random = seededRandom(seed);
    const { tasks, parents } = aLayeredDag(journal, random, layers, width);
    const run = await StartedRun.of(stack, 'killed', tasks);
    try {
      await killAtRandomMoments(run, random);
      await run.ends('succeeded', { timeoutMs: 120_000 });
      expect(story).toHaveLength(kills);
      await checkAttempts(run, Object.keys(tasks));
      await checkOrder(run, parents);
      await waitFor(() => run.processes().length === 0, {
        describe: () => `no process of the run; left: ${describeProcesses(run.processes())}`,
      });
      expect(await readHeldResources(stack.databaseUrl)).toEqual({ open: 0, usedNodes: 0 });
      await checkLogs(run);
    } catch (error) {
      const server = stack.servers.at(-1)!;
      const told = [
        `seed ${seed}, after kills: ${story.join(', ')}`,
        `server ${server.pid} ${server.isRunning ? 'runs' : server.output.slice(-2000)}`,
      ];
      throw new Error([...told, await run.tell().catch(String)].join('\n'), { cause: error });
    }
  }, 290_000);
});

/** One succeeded attempt per task, of the accepted fence; every other one lost; and the journal tells the same. */
async function checkAttempts(run: StartedRun, keys: readonly string[]): Promise<void> {
  const attempts = await run.attempts();
  const succeeded = attempts.filter(({ state }) => state === 'succeeded');
  expect(succeeded.map(({ task }) => task)).toEqual(keys);
  expect(succeeded.filter(({ fence, acceptedFence }) => fence !== acceptedFence)).toEqual([]);
  expect(attempts.filter(({ state }) => !['succeeded', 'lost'].includes(state)).map(({ task, state }) => `${task} ${state}`)).toEqual([]);
  expect(journal.doubleStarts(run.id)).toEqual([]);
  const entries = journal.read(run.id);
  for (const { task, fence } of succeeded) {
    const own = entries.filter((entry) => entry.task === task && entry.fence === fence);
    expect(
      own.map(({ what }) => what),
      `${task}#${fence}`,
    ).toEqual(['start', 'end']);
  }
  const known = new Set(attempts.map(({ task, fence }) => `${task}#${fence}`));
  expect(entries.map(({ task, fence }) => `${task}#${fence}`).filter((key) => !known.has(key))).toEqual([]);
}

/** No process of a task began before the accepted attempt of each parent had ended. */
async function checkOrder(run: StartedRun, parents: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const accepted = new Map((await run.attempts()).filter(({ state }) => state === 'succeeded').map(({ task, fence }) => [task, fence]));
  const entries = journal.read(run.id);
  const endOf = (task: string) =>
    entries.find((entry) => entry.task === task && entry.what === 'end' && entry.fence === accepted.get(task))!.at;
  const tooEarly = entries.filter(
    ({ task, what, at }) => what === 'start' && (parents.get(task) ?? []).some((parent) => at < endOf(parent)),
  );
  expect(tooEarly).toEqual([]);
}

async function checkLogs(run: StartedRun): Promise<void> {
  for (const attempt of (await run.attempts()).filter(({ state }) => state === 'succeeded')) {
    expect(await run.logOf(attempt.id), `log of ${attempt.task}`).toBe(expectedOutput(attempt.task));
  }
}
