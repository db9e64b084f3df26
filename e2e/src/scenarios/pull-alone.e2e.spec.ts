import { aRandomDag, Journal, readHeldResources, Stack, StartedRun, seededRandom, untilNodes } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stack: Stack;
const journal = new Journal();

beforeAll(async () => {
  stack = await Stack.start({ redis: false, servers: 2 });
  // Each agent knows one server only: what one of them decides has to reach the agent that waits at the other.
  await stack.addAgent({ name: 'north', declaredSpeed: 1, labels: { side: 'north' } });
  await stack.addAgent({ name: 'south', declaredSpeed: 1, labels: { side: 'south' }, serverUrl: stack.servers[1]!.url });
  await untilNodes(stack.databaseUrl, ['north', 'south']);
});

afterAll(async () => {
  await stack?.stop();
  journal.remove();
});

describe('a stack without Redis', () => {
  it('runs a DAG by the long poll alone, each task once and after its parents', async () => {
    const shape = aRandomDag(80, seededRandom(7), { maxParents: 3 });
    const parents = new Map(Object.entries(shape).map(([key, { needs }]) => [key, (needs ?? []) as string[]]));
    const tasks = Object.fromEntries([...parents].map(([key, needs]) => [key, journal.task('true', needs.length > 0 ? { needs } : {})]));
    const run = await StartedRun.of(stack, 'pulled', tasks);
    await run.ends('succeeded');

    const attempts = await run.attempts();
    expect(attempts.map(({ task, state, carrier }) => `${task} ${state} ${carrier}`)).toEqual(
      Object.keys(tasks).map((key) => `${key} succeeded pull`),
    );
    expect(new Set(attempts.map(({ node }) => node))).toEqual(new Set(['north', 'south']));
    const entries = journal.read(run.id);
    expect(entries).toHaveLength(160);
    const endedAt = new Map(entries.filter(({ what }) => what === 'end').map(({ task, at }) => [task, at]));
    const early = entries.filter(
      ({ task, what, at }) => what === 'start' && parents.get(task)!.some((parent) => endedAt.get(parent)! > at),
    );
    expect(early).toEqual([]);
    expect(await readHeldResources(stack.databaseUrl)).toEqual({ open: 0, usedNodes: 0 });
  });

  it('starts a task within moments, not at the next poll', async () => {
    // Each task goes to the node that waits at the other server than the one its parent reported to.
    const side = (index: number) => (index % 2 === 0 ? 'north' : 'south');
    const chain = Array.from({ length: 20 }, (_, index) => [
      `step-${index}`,
      journal.task('true', { labels: `side = ${side(index)}`, ...(index === 0 ? {} : { needs: [`step-${index - 1}`] }) }),
    ]);
    const run = await StartedRun.of(stack, 'prompt', Object.fromEntries(chain));
    // While anything is unclaimed each server looks once a second by itself, so each side's ten steps would take nine seconds if nobody were woken.
    await run.ends('succeeded', { timeoutMs: 8_000 });
  });
});
