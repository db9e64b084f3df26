import { setTimeout as delay } from 'node:timers/promises';
import { query, Stack, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const droppedMs = 10_000;
let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
  await stack.addAgent({ name: 'only' });
  await untilNodes(stack.databaseUrl, ['only']);
});

afterAll(() => stack?.stop());

interface Tick extends Record<string, unknown> {
  at: number;
  late: number;
  seconds: number | null;
  carrier: string | null;
}

/** Runs of the schedule with their fire time (epoch seconds), how late they were created, and how long until they had ended, all in seconds. */
function readTicks(): Promise<Tick[]> {
  return query<Tick>(
    stack.databaseUrl,
    `select extract(epoch from r.fire_at)::float8 as at, extract(epoch from r.created_at - r.fire_at)::float8 as late,
       extract(epoch from r.finished_at - r.fire_at)::float8 as seconds, a.carrier
     from runs r left join attempts a on a.run_id = r.id where r.trigger = 'schedule' order by r.fire_at`,
  );
}

const now = async () => {
  const [row] = await query<{ now: number }>(stack.databaseUrl, 'select extract(epoch from clock_timestamp())::float8 as now');
  return row!.now;
};

describe('Redis gone for 10 s', () => {
  it('delays no tick of a schedule: each fires on time and its run ends, carried by the pull', async () => {
    const every2 = { cron: '*/2 * * * * *', zone: 'UTC' };
    const tasks = { only: { run: 'true', resources: { cpu: 0.01 } } };
    await stack.admin.apply(JSON.stringify({ medley: 1, project: 'default', workflow: 'ticks', schedules: { every2 }, tasks }));
    await waitFor(async () => (await readTicks()).filter(({ carrier }) => carrier === 'queue').length >= 2);

    const goneAt = await now();
    await stack.redis!.kill9();
    await delay(droppedMs);
    const backAt = await now();
    await stack.redis!.start();
    await waitFor(async () => (await readTicks()).filter(({ at, carrier }) => at > backAt && carrier === 'queue').length >= 2, {
      describe: 'ticks that the queue carries again',
    });

    const ticks = (await readTicks()).filter(({ at, seconds }) => seconds !== null || at < backAt);
    const times = ticks.map(({ at }) => at);
    expect(times).toEqual(times.map((_, index) => times[0]! + 2 * index));
    expect(ticks.filter(({ late }) => late < 0 || late > 1.5)).toEqual([]);
    const during = ticks.filter(({ at }) => at > goneAt && at < backAt);
    expect(during.length).toBeGreaterThanOrEqual(4);
    expect(during.map(({ carrier }) => carrier)).toEqual(during.map(() => 'pull'));
    // The first one may wait for the message that was under way to be missed.
    expect(during.filter(({ seconds }) => seconds === null || seconds > 6)).toEqual([]);
  });
});
