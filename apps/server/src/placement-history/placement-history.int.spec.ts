import { randomUUID } from 'node:crypto';
import type { ApplyAnswer, Page, PlacementListItem, PoolDistribution, PoolView, RunView } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast } from '../testing/cast.fixture.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { unguarded } from '../testing/unguarded.js';

const hour = () => {
  const now = Date.now();
  return `from=${new Date(now - 3_600_000).toISOString()}&to=${new Date(now + 60_000).toISOString()}`;
};

describe('the history of placement', () => {
  let server: TestServer;
  let pool: PoolView;
  let slow: TestAgent;
  let fast: TestAgent;
  beforeAll(async () => {
    server = await startTestServer();
    pool = (await server.admin.get<Page<PoolView>>('/pools')).items[0]!;
    slow = await TestAgent.join(server.url, server.credentials.joinToken, 'slow');
    fast = await TestAgent.join(server.url, server.credentials.joinToken, 'fast');
    await server.admin.patch(`/nodes/${fast.nodeId}`, { declaredSpeed: 3 });
  });
  afterAll(() => server.close());

  const distribution = () => server.admin.get<PoolDistribution>(`/pools/${pool.id}/distribution?${hour()}`);
  const list = (query = '') => server.admin.get<Page<PlacementListItem>>(`/placements?${query}`);

  it('counts placements against the chances that each decision stored', async () => {
    expect(await distribution()).toMatchObject({ decisions: 0, nodes: [], others: null, since: null });
    const file = aWorkflow({ a: { run: 'true' }, b: { run: 'true' } }, { workflow: 'pair' });
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', file);
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`);
    while ((await list()).items.length < 2) await Promise.all([slow.work(), fast.work()]);
    const counted = await distribution();
    expect(counted.decisions).toBe(2);
    expect(counted.nodes.map(({ node, compared, expected, verdict }) => ({ node, compared, expected, verdict }))).toEqual([
      { node: 'fast', compared: 2, expected: 1.5, verdict: 'too-few' },
      { node: 'slow', compared: 2, expected: 0.5, verdict: 'too-few' },
    ]);
    const { items } = await list(`workflowId=${workflowId}`);
    expect(items[0]).toMatchObject({ runId: run.id, workflow: 'pair', pool: 'default', candidates: 2, removed: [], kind: 'place' });
    expect(items[0]!.top.map(({ node, probability }) => [node, probability])).toEqual([
      ['fast', 0.75],
      ['slow', 0.25],
    ]);
    expect(new Set(items.map(({ taskKey }) => taskKey))).toEqual(new Set(['a', 'b']));
  });

  it('lists to a user the placements of its projects only', async () => {
    const cast = new Cast(server);
    const other = await cast.player({ roles: { [await cast.project('other')]: 'viewer' } });
    expect((await other.client.get<Page<PlacementListItem>>('/placements')).items).toEqual([]);
    expect((await other.client.get<PoolDistribution>(`/pools/${pool.id}/distribution?${hour()}`)).decisions).toBe(2);
  });

  it('caps what it counts with 100,000 decisions present, and pages through what a filter leaves', async () => {
    await manyDecisions(100_000);
    const counted = await distribution();
    const page = await list('limit=100');
    const none = await list(`workflowId=${randomUUID()}`);
    expect(counted.decisions).toBe(10_000);
    expect(counted.since).not.toBeNull();
    const [fastShare, slowShare] = [counted.nodes.find(({ node }) => node === 'fast')!, counted.nodes.find(({ node }) => node === 'slow')!];
    expect(fastShare).toMatchObject({ compared: 10_000, expected: 7_500, verdict: 'differs' });
    expect(slowShare).toMatchObject({ compared: 10_000, expected: 2_500, verdict: 'differs' });
    expect(fastShare.placed + slowShare.placed).toBe(10_000);
    expect(page.items).toHaveLength(100);
    expect(none).toMatchObject({ items: [], nextCursor: expect.any(String) });
    const next = await list(`limit=100&cursor=${page.nextCursor}`);
    expect(next.items[0]!.attemptId < page.items.at(-1)!.attemptId).toBe(true);
    expect((await list(`nodeId=${slow.nodeId}&limit=5`)).items.every(({ node }) => node === 'slow')).toBe(true);
  });

  it('compares the nine likeliest of many candidates one by one and the others together', async () => {
    await server.source.query('delete from placement_decisions');
    await manyDecisions(400, { candidates: 11, scores: 10 });
    const counted = await distribution();
    expect(counted.nodes.filter(({ compared }) => compared > 0)).toHaveLength(9);
    expect(counted.others).toMatchObject({
      compared: 400,
      placed: 200,
      expected: expect.closeTo(400 * (1 - 9 * 0.09)),
      verdict: 'differs',
    });
  });

  /** Alternately on the two nodes, whose chances are 3 to 1; or of ten stored scores of 0.09 each, the chosen one first or not among the first nine. */
  async function manyDecisions(count: number, many?: { candidates: number; scores: number }): Promise<void> {
    const strangers = Array.from({ length: 9 }, () => randomUUID());
    const score = (nodeId: string, probability: number) => ({ nodeId, nodeName: nodeId.slice(-4), performance: 1, weight: 1, probability });
    const scores = many ? [...strangers, slow.nodeId].map((id) => score(id, 0.09)) : [score(fast.nodeId, 0.75), score(slow.nodeId, 0.25)];
    const first = many ? strangers[0] : fast.nodeId;
    const decision = (chosenNodeId: string) =>
      JSON.stringify({ ordinal: 0, selector: 'resource-pick-kx', candidates: many?.candidates ?? 2, removed: [], scores, chosenNodeId });
    await unguarded(
      server.source,
      `with made as (
         select (select lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')) || '7' || lpad(to_hex(i), 3, '0') || substr(md5(random()::text), 1, 16) as hex, i
         from generate_series(1, $1::int) i
       ), ids as (select (substr(hex, 1, 16) || '8' || substr(hex, 17, 15))::uuid as id, i from made),
       base as (select a.run_id, a.task_run_id, t.id as turn_id from attempts a join placement_turns t on true order by t.id limit 1),
       new_attempts as (
         insert into attempts (id, task_run_id, run_id, node_id, fence, state, finished_at)
         select ids.id, b.task_run_id, b.run_id, case when i % 2 = 0 then $2::uuid else $3::uuid end, 1000 + i + (select count(*) from attempts), 'succeeded', clock_timestamp()
         from ids cross join base b
       )
       insert into placement_decisions (attempt_id, turn_id, ordinal, decision)
       select ids.id, b.turn_id, 0, case when i % 2 = 0 then $4::jsonb else $5::jsonb end from ids cross join base b`,
      [count, slow.nodeId, fast.nodeId, decision(slow.nodeId), decision(first!)],
    );
    await server.source.query('analyze placement_decisions');
  }
});
