import type { CreatedApiToken, CreatedJoinToken, Problem, RunView } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('a request', () => {
  let server: TestServer;
  let run: string;
  beforeAll(async () => {
    server = await startTestServer();
    const { workflowId } = await server.admin.apply(JSON.stringify(aWorkflow({ a: { run: 'true' } })));
    run = `/runs/${(await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {})).id}`;
  });
  afterAll(() => server.close());

  it.each([
    ['a query', () => '/runs?limti=5', 'limti', 'is not a known query parameter; did you mean `limit`?'],
    [
      'the query of an operation without one',
      () => `${run}?verbose=1`,
      'verbose',
      'is not a known query parameter; this operation takes none',
    ],
  ])('with an unknown key in %s is refused by its name', async (_, path, key, message) => {
    expect(await problemFrom(server.admin.get(path()))).toMatchObject({
      status: 400,
      code: 'validation-failed',
      detail: `${key}: ${message}`,
      fields: [{ path: key, message }],
    });
  });

  it('with unknown and wrong fields is told all of them, and nothing is made', async () => {
    const before = await server.admin.get<{ items: unknown[] }>('/join-tokens');
    const problem = await problemFrom(
      server.admin.post('/join-tokens', { maxUse: 3, expiresInHours: 'day', capacityCap: { cpuMilis: 500 } }),
    );
    expect(problem.fields?.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'maxUse is not a known field; did you mean `maxUses`?',
      'capacityCap.cpuMilis is not a known field; did you mean `cpuMillis`?',
      'expiresInHours is not a number',
    ]);
    expect(await server.admin.get('/join-tokens')).toEqual(before);
  });

  it('with a body where none is taken is refused', async () => {
    expect(await problemFrom(server.admin.post(`${run}/pause`, { force: true }))).toMatchObject({
      status: 400,
      fields: [{ path: 'force', message: 'is not a known field; this operation takes no body' }],
    });
  });

  it('of an agent may hold what a newer version added', async () => {
    const { token } = await server.admin.post<CreatedJoinToken>('/join-tokens');
    const facts = {
      ...{ agentVersion: '9.0.0', protocol: { min: 1, max: 2 }, os: 'linux', arch: 'x64', hostname: 'h', runtimes: ['shell'], later: 1 },
      capacity: { cpuMillis: 1000, memoryMib: 1000, diskMib: 1000, gpuCount: 0 },
    };
    const answer = await fetch(`${server.url}/agent/v1/join?later=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, name: 'newer', facts, later: { more: true } }),
    });
    expect(answer.status).toBe(200);
  });

  it.each(['DELETE', 'POST'])('by %s that names JSON and sends nothing is one without a body', async (method) => {
    const created = await server.admin.post<CreatedApiToken>('/tokens', { name: `for ${method}`, scopes: ['read'] });
    const headers = { 'content-type': 'application/json' };
    const path = method === 'DELETE' ? `/tokens/${created.id}` : `${run}/cancel`;
    const answer = await server.admin.request(method, path, { headers });
    expect(answer.status).toBe(method === 'DELETE' ? 204 : 200);
  });

  it('with a number that is too large is told the limit', async () => {
    const { workflowId } = await server.admin.apply(JSON.stringify(aWorkflow({ a: { run: 'true' } })));
    const version = { fields: [{ path: 'version', message: 'is too large: at most 2147483647' }] };
    const tooLarge = [
      server.admin.post(`/workflows/${workflowId}/runs`, { version: 3_000_000_000 }),
      server.admin.get(`/workflows/${workflowId}/versions/3000000000`),
      server.admin.get(`/workflows/${workflowId}/dag?version=99999999999999999999`),
    ];
    const problems: Problem[] = await Promise.all(tooLarge.map(problemFrom));
    for (const problem of problems) expect(problem).toMatchObject({ status: 400, ...version });
    expect(await problemFrom(server.admin.get('/runs?limit=99999999999999999999'))).toMatchObject({
      fields: [{ path: 'limit', message: 'is too large: at most 200' }],
    });
  });
});
