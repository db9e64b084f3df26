import type { ApplyAnswer, CreatedJoinToken, Page, PoolView, RunView } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('pools', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const create = (body: object) => server.admin.post<PoolView>('/pools', body);
  const remove = (pool: PoolView) => server.admin.delete(`/pools/${pool.id}`);
  const names = async () => (await server.admin.get<Page<PoolView>>('/pools')).items.map(({ name }) => name);
  const joinToken = (pool: string) => server.admin.post<CreatedJoinToken>('/join-tokens', { pool });

  it('are created with a policy, proportional unless said otherwise', async () => {
    const pool = await create({ name: 'etl' });
    expect(pool).toMatchObject({ name: 'etl', policy: { selector: 'resource-pick-kx', k: 1 }, nodeCount: 0, waitingCount: 0 });
    expect(await create({ name: 'even', policy: { selector: 'random' } })).toMatchObject({ policy: { selector: 'random' } });
    expect(await server.admin.get(`/pools/${pool.id}`)).toEqual(pool);
    expect(await names()).toEqual(['default', 'etl', 'even']);
  });

  it('are searched, sorted and paged by the server', async () => {
    for (const name of ['sorted-b', 'sorted-a', 'sorted-c']) await create({ name });
    const token = (await joinToken('sorted-a')).token;
    await TestAgent.join(server.url, token, 'of-sorted-a');
    const page = (query: string) => server.admin.get<Page<PoolView>>(`/pools?search=SORTED&${query}`);
    const namesOf = ({ items }: Page<PoolView>) => items.map(({ name }) => name);
    expect(namesOf(await page('sort=-name'))).toEqual(['sorted-c', 'sorted-b', 'sorted-a']);
    expect(namesOf(await page('sort=created'))).toEqual(['sorted-b', 'sorted-a', 'sorted-c']);
    const first = await page('sort=-nodes&limit=1');
    expect(namesOf(first)).toEqual(['sorted-a']);
    const rest = await page(`sort=-nodes&limit=5&cursor=${first.nextCursor}`);
    expect(namesOf(rest).sort()).toEqual(['sorted-b', 'sorted-c']);
    expect(rest.nextCursor).toBeNull();
    expect(await problemFrom(page(`sort=name&cursor=${first.nextCursor}`))).toMatchObject({ code: 'cursor-invalid' });
    expect(await problemFrom(page('sort=policy'))).toMatchObject({ status: 400, fields: [{ path: 'sort' }] });
    expect(namesOf(await page('sort=waiting'))).toHaveLength(3);
  });

  it('are created once per idempotency key', async () => {
    const body = JSON.stringify({ name: 'once' });
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'pool-once' };
    const [first, second] = [
      await server.admin.request('POST', '/pools', { body, headers }),
      await server.admin.request('POST', '/pools', { body, headers }),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
  });

  it('refuse a taken name and one that no workflow file could name', async () => {
    expect(await problemFrom(create({ name: 'default' }))).toMatchObject({ status: 409, code: 'name-taken' });
    expect(await problemFrom(create({ name: 'Not A Name' }))).toMatchObject({ status: 400, fields: [{ path: 'name' }] });
  });

  it('are removed when nothing uses them, and the name is free again', async () => {
    const pool = await create({ name: 'short-lived' });
    await remove(pool);
    expect(await names()).not.toContain('short-lived');
    expect(await problemFrom(server.admin.get(`/pools/${pool.id}`))).toMatchObject({ code: 'not-found' });
    expect(await problemFrom(remove(pool))).toMatchObject({ code: 'not-found' });
    expect(await problemFrom(server.admin.patch(`/pools/${pool.id}`, { policy: { selector: 'random' } }))).toMatchObject({
      code: 'not-found',
    });
    expect(await problemFrom(joinToken('short-lived'))).toMatchObject({ code: 'not-found' });
    const document = aWorkflow({ a: { run: 'true', pool: 'short-lived' } }, { workflow: 'late' });
    expect(await problemFrom(server.admin.post('/workflows/apply', document))).toMatchObject({ code: 'workflow-invalid' });
    expect((await create({ name: 'short-lived' })).id).not.toBe(pool.id);
  });

  it('stay while a join token for them is in force, and while they have a node', async () => {
    const pool = await create({ name: 'joined' });
    const { id, token } = await joinToken('joined');
    expect(await problemFrom(remove(pool))).toMatchObject({
      status: 409,
      code: 'pool-in-use',
      detail: expect.stringContaining('1 join token'),
    });
    const agent = await TestAgent.join(server.url, token, 'member');
    expect(await problemFrom(remove(pool))).toMatchObject({ code: 'pool-in-use', detail: expect.stringContaining('1 node') });
    await server.admin.patch(`/nodes/${agent.nodeId}`, { draining: true });
    await server.admin.delete(`/nodes/${agent.nodeId}`);
    await server.admin.delete(`/join-tokens/${id}`);
    await remove(pool);
  });

  it('stay while unfinished task runs go to them', async () => {
    const pool = await create({ name: 'busy' });
    const document = aWorkflow({ a: { run: 'true', pool: 'busy' } }, { workflow: 'keeps-busy' });
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', document);
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`);
    expect(await problemFrom(remove(pool))).toMatchObject({
      code: 'pool-in-use',
      detail: expect.stringContaining('1 unfinished task run'),
    });
    await server.admin.post(`/runs/${run.id}/cancel`);
    await remove(pool);
    const refused = await problemFrom(server.admin.post(`/workflows/${workflowId}/runs`));
    expect(refused).toMatchObject({ code: 'workflow-invalid', detail: expect.stringContaining('`busy`') });
  });

  it('never lose a task run to a removal at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const name = `race-${round}`;
      const pool = await create({ name });
      const document = aWorkflow({ a: { run: 'true', pool: name } }, { workflow: name });
      const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', document);
      const [started, removed] = await Promise.allSettled([server.admin.post(`/workflows/${workflowId}/runs`), remove(pool)]);
      expect([started.status, removed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });
});
