import { aRandomDag, Journal, readHeldResources, Stack, StartedRun, seededRandom, untilNodes, waitFor } from '@medley/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const seed = 20_260_703;
const taskCount = 60;
let stack: Stack;
let redis: Redis;
const journal = new Journal();

beforeAll(async () => {
  stack = await Stack.start();
  redis = new Redis(stack.redis!.url);
  await Promise.all([stack.addAgent({ name: 'north' }), stack.addAgent({ name: 'south' })]);
  await untilNodes(stack.databaseUrl, ['north', 'south']);
});

afterAll(async () => {
  redis?.disconnect();
  await stack?.stop();
  journal.remove();
});

describe('Redis wiped by FLUSHALL in the middle of a run', () => {
  it('loses no task and starts none twice', async () => {
    const random = seededRandom(seed);
    const shape = aRandomDag(taskCount, random, { maxParents: 2 });
    const tasks = Object.fromEntries(
      Object.entries(shape).map(([key, { needs }]) => [
        key,
        journal.task(`sleep 0.${1 + Math.floor(random() * 4)}`, needs ? { needs } : {}),
      ]),
    );
    const run = await StartedRun.of(stack, 'flushed', tasks);
    for (let flush = 1; flush <= 6; flush += 1) {
      await waitFor(() => journal.read(run.id).filter(({ what }) => what === 'end').length >= flush * 8);
      expect(await run.state()).toBe('running');
      await redis.flushall();
    }
    await run.ends('succeeded');

    const attempts = await run.attempts();
    expect(attempts.map((attempt) => [attempt.task, attempt.state])).toEqual(Object.keys(tasks).map((task) => [task, 'succeeded']));
    const ends = journal.read(run.id).filter(({ what }) => what === 'end');
    expect(ends.map(({ task }) => task).sort()).toEqual(Object.keys(tasks).sort());
    expect(journal.doubleStarts(run.id)).toEqual([]);
    expect(await readHeldResources(stack.databaseUrl)).toEqual({ open: 0, usedNodes: 0 });
  });

  it('carries messages again afterwards without help', async () => {
    await redis.flushall();
    const run = await StartedRun.of(
      stack,
      'after-flush',
      Object.fromEntries(['one', 'two', 'three'].map((key) => [key, journal.task('true')])),
    );
    await run.ends('succeeded');
    expect((await run.attempts()).map(({ carrier }) => carrier)).toEqual(['queue', 'queue', 'queue']);
  });
});
