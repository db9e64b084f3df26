import { Journal, manyTasks, query, Stack, StartedRun, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stack: Stack;
const journal = new Journal();

beforeAll(async () => {
  stack = await Stack.start();
  const more = `insert into pools (id, name, policy) select gen_random_uuid(), n.name, p.policy from pools p, unnest($1::text[]) as n(name)
    where p.name = 'default'`;
  await query(stack.databaseUrl, more, [['second', 'third']]);
});

afterAll(async () => {
  await stack?.stop();
  journal.remove();
});

const wholeNode = { resources: { cpu: 1 } };

describe('work without a node', () => {
  it('waits with that reason while its pool is empty, and starts by itself when a node joins', async () => {
    const run = await StartedRun.of(stack, 'no-node', { only: journal.task('true') });
    await waitFor(async () => (await run.taskStates()).only === 'blocked');
    expect((await run.why('only')).reason).toMatchObject({ code: 'no-node', text: expect.stringContaining('no node') });
    expect(['queued', 'running']).toContain(await run.state());

    await stack.addAgent({ name: 'first', capacityCap: { cpuMillis: 1000 }, labels: { zone: 'dc1' } });
    await run.ends('succeeded');
    await untilNodes(stack.databaseUrl, ['first']);
  });

  it('fails at once with the reason when no registered node could ever run it', async () => {
    const run = await StartedRun.of(stack, 'impossible', {
      'too-wide': journal.task('true', { resources: { cpu: 64 } }),
      'no-such-label': journal.task('true', { labels: 'zone = dc9' }),
      possible: journal.task('true', { labels: 'zone = dc1' }),
    });
    await run.ends('failed', { timeoutMs: 10_000 });
    expect(await run.taskStates()).toEqual({ 'too-wide': 'failed', 'no-such-label': 'failed', possible: 'succeeded' });
    expect((await run.why('too-wide')).reason).toMatchObject({
      code: 'infeasible',
      text: expect.stringContaining('64'),
      values: {
        asks: { cpuMillis: 64_000 },
        nodes: [{ node: 'first', obstacle: { code: 'too-small', resource: 'cpuMillis', capacity: 1000 } }],
      },
    });
    expect((await run.why('no-such-label')).reason).toMatchObject({ code: 'infeasible', text: expect.stringContaining('zone') });
    expect((await run.attempts()).map(({ task }) => task)).toEqual(['possible']);
  });
});

describe('a full pool', () => {
  it('never delays another pool, whatever its backlog', async () => {
    await stack.addAgent({ name: 'other', pool: 'second', capacityCap: { cpuMillis: 1000 } });
    await untilNodes(stack.databaseUrl, ['first', 'other']);
    const backlog = await StartedRun.of(stack, 'backlog', {
      ...manyTasks('full', 300, () => journal.task('sleep 600', wholeNode)),
      ...manyTasks('empty', 300, () => journal.task('true', { pool: 'third', ...wholeNode })),
    });
    await waitFor(async () => Object.values(await backlog.taskStates()).filter((state) => state === 'blocked').length === 599);
    const [waiting] = Object.entries(await backlog.taskStates()).find(([key, state]) => key.startsWith('full') && state === 'blocked')!;
    expect((await backlog.why(waiting)).reason).toMatchObject({
      code: 'no-capacity',
      text: expect.stringContaining('1 of 1 core reserved'),
      values: {
        nodes: [{ node: 'first', obstacle: { code: 'reserved', resource: 'cpuMillis', reserved: 1000, capacity: 1000 } }],
        more: 0,
      },
    });
    const run = await StartedRun.of(stack, 'beside', {
      one: journal.task('true', { pool: 'second', ...wholeNode }),
      two: journal.task('true', { pool: 'second', needs: ['one'], ...wholeNode }),
    });
    await run.ends('succeeded', { timeoutMs: 10_000 });
    expect(await backlog.state()).toBe('running');
    await stack.admin.post(`/runs/${backlog.id}/cancel`);
    await backlog.ends('cancelled');
  });

  it('does not hide the work of other shapes behind a backlog of one', async () => {
    const backlog = await StartedRun.of(
      stack,
      'one-shape',
      manyTasks('wide', 50, () => journal.task('sleep 600', { resources: { cpu: 0.9 } })),
    );
    await waitFor(async () => Object.values(await backlog.taskStates()).filter((state) => state === 'blocked').length === 49);
    const small = await StartedRun.of(stack, 'small', { one: journal.task('true', { resources: { cpu: 0.05 } }) });
    await small.ends('succeeded', { timeoutMs: 10_000 });
    await stack.admin.post(`/runs/${backlog.id}/cancel`);
    await backlog.ends('cancelled');
  });
});
