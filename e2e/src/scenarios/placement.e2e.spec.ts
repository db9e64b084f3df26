import type { Page, PlacementReplay, PlacementView, PoolView } from '@medley/contracts';
import { manyTasks, query, Stack, StartedRun, untilNodes } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
  await stack.addAgent({ name: 'slow', declaredSpeed: 1, labels: { zone: 'dc1' } });
  await stack.addAgent({ name: 'fast', declaredSpeed: 4, labels: { zone: 'dc2' } });
  await untilNodes(stack.databaseUrl, ['slow', 'fast']);
});

afterAll(() => stack?.stop());

async function usePolicy(policy: Record<string, unknown>): Promise<void> {
  const { items } = await stack.admin.get<Page<PoolView>>('/pools');
  await stack.admin.patch(`/pools/${items.find(({ name }) => name === 'default')!.id}`, { policy });
}

/** Tasks one after the other, so that both nodes are empty whenever one is placed. */
const chain = (count: number) =>
  manyTasks('step', count, (index) => ({
    run: 'echo "$MEDLEY_NODE $MEDLEY_SPEED"',
    resources: { cpu: 0.01 },
    ...(index > 1 ? { needs: [`step-${index - 1}`] } : {}),
  }));

async function nodesOf(run: StartedRun): Promise<string[]> {
  return (await run.attempts()).map(({ node }) => node);
}

describe('placement', () => {
  it('by smooth weighted round-robin gives nodes of declared speeds 1 and 4 exactly 10 and 40 of 50 tasks in a row', async () => {
    await usePolicy({ selector: 'smooth-weighted-round-robin' });
    const run = await StartedRun.of(stack, 'one-to-four', chain(50));
    await run.ends('succeeded', { timeoutMs: 120_000 });
    const nodes = await nodesOf(run);
    expect(nodes.filter((node) => node === 'slow')).toHaveLength(10);
    // Smooth: in each five picks the slow node has exactly one.
    for (let start = 0; start < 50; start += 5) expect(nodes.slice(start, start + 5).filter((node) => node === 'slow')).toHaveLength(1);
    expect(await run.log('step-1')).toBe(`${nodes[0]} ${nodes[0] === 'fast' ? 4 : 1}\n`);
  });

  it.each([
    [{ selector: 'resource-pick-kx', k: 2 }],
    [{ selector: 'smooth-weighted-round-robin' }],
    [{ selector: 'earliest-finish' }],
    [{ selector: 'random' }],
  ])('by %j is stored so that it can be explained and replays to the identical choice', async (policy) => {
    await usePolicy(policy);
    const run = await StartedRun.of(
      stack,
      `replay-${policy.selector}`,
      manyTasks('part', 12, () => ({ run: 'true', resources: { cpu: 0.01 } })),
    );
    await run.ends('succeeded');
    const attempts = await run.attempts();
    expect(attempts).toHaveLength(12);
    for (const { id, node } of attempts) {
      const view = await stack.admin.get<PlacementView>(`/attempts/${id}/placement`);
      expect(view).toMatchObject({ attemptId: id, node });
      const replay = await stack.admin.post<PlacementReplay>(`/attempts/${id}/placement/replay`);
      expect(replay.replayed).toEqual(replay.stored);
      expect(replay.identical).toBe(true);
    }
  });

  it('that was tampered with does not replay as identical', async () => {
    const run = await StartedRun.of(stack, 'tampered', { only: { run: 'true', resources: { cpu: 0.01 } } });
    await run.ends('succeeded');
    const [attempt] = await run.attempts();
    const other = attempt!.node === 'slow' ? 'fast' : 'slow';
    await query(
      stack.databaseUrl,
      `update placement_decisions set decision = replace(decision::text, mine.id::text, theirs.id::text)::jsonb
       from nodes mine, nodes theirs where attempt_id = $1 and mine.name = $2 and theirs.name = $3`,
      [attempt!.id, attempt!.node, other],
    );
    const replay = await stack.admin.post<PlacementReplay>(`/attempts/${attempt!.id}/placement/replay`);
    expect(replay.identical).toBe(false);
  });

  it('heeds labels, and an infinite k takes the strongest node', async () => {
    await usePolicy({ selector: 'resource-pick-kx', k: 'infinity' });
    const run = await StartedRun.of(stack, 'labels', {
      ...manyTasks('any', 6, () => ({ run: 'true', resources: { cpu: 0.01 } })),
      ...manyTasks('slow', 3, () => ({ run: 'true', resources: { cpu: 0.01 }, labels: 'zone = dc1' })),
    });
    await run.ends('succeeded');
    expect(await nodesOf(run)).toEqual([...Array(6).fill('fast'), ...Array(3).fill('slow')]);
  });
});
