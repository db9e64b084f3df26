import { setTimeout as delay } from 'node:timers/promises';
import { Journal, manyTasks, Stack, StartedRun, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const frozenMs = 30_000;
let stack: Stack;
const journal = new Journal();

beforeAll(async () => {
  stack = await Stack.start();
  await Promise.all([stack.addAgent({ name: 'north' }), stack.addAgent({ name: 'south' })]);
  await untilNodes(stack.databaseUrl, ['north', 'south']);
});

afterAll(async () => {
  stack?.redis?.child.signal('SIGCONT');
  await stack?.stop();
  journal.remove();
});

/** Eight tasks side by side, then one more. */
function aSmallRun(name: string): Promise<StartedRun> {
  const parts = manyTasks('part', 8, () => journal.task('sleep 0.2'));
  return StartedRun.of(stack, name, { ...parts, last: journal.task('true', { needs: Object.keys(parts) }) });
}

describe('Redis frozen for 30 s', () => {
  it('leaves dispatch to the pull, and nothing runs twice when it thaws', async () => {
    const before = await aSmallRun('before');
    await before.ends('succeeded');
    expect(new Set((await before.attempts()).map(({ carrier }) => carrier))).toEqual(new Set(['queue']));

    stack.redis!.child.signal('SIGSTOP');
    const frozenAt = performance.now();
    const during: StartedRun[] = [];
    while (performance.now() - frozenAt < frozenMs - 8_000) {
      const run = await aSmallRun(`frozen-${during.length + 1}`);
      during.push(run);
      await run.ends('succeeded', { timeoutMs: frozenMs - (performance.now() - frozenAt) });
    }
    await delay(frozenMs - (performance.now() - frozenAt));
    stack.redis!.child.signal('SIGCONT');
    expect(during.length).toBeGreaterThanOrEqual(2);
    for (const run of during) expect(new Set((await run.attempts()).map(({ carrier }) => carrier))).toEqual(new Set(['pull']));

    // Messages that were half sent when Redis froze arrive now: once the queue carries again, they have arrived before.
    let thawed = 0;
    await waitFor(
      async () => {
        thawed += 1;
        const run = await aSmallRun(`thawed-${thawed}`);
        await run.ends('succeeded');
        const carriers = (await run.attempts()).map(({ carrier }) => carrier);
        return carriers.every((carrier) => carrier === 'queue');
      },
      { timeoutMs: 30_000, describe: 'a run that the queue carries alone' },
    );
    for (const run of [before, ...during]) {
      expect(journal.doubleStarts(run.id)).toEqual([]);
      expect(journal.read(run.id).filter(({ what }) => what === 'start')).toHaveLength(9);
      expect((await run.attempts()).map(({ state, fence }) => [state, fence])).toEqual(Array(9).fill(['succeeded', 1]));
    }
  });
});
