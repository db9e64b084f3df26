import { startPostgres, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('a server whose Postgres goes away', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let server: TestServer;
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true }); // a kill must not take the session with it
    server = await startTestServer({ MEDLEY_DATABASE_URL: postgres.url });
  });
  afterAll(async () => {
    await server.close();
    await postgres.stop();
  });

  const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;
  const statusOfMe = async () => (await server.admin.request('GET', '/me')).status;

  it('answers that it is unavailable, stays up, and goes on by itself when Postgres is back', async () => {
    expect([await status('/readyz'), await statusOfMe()]).toEqual([200, 200]);
    await postgres.kill9();
    const refused = await waitFor(async () => {
      const answer = await server.admin.request('GET', '/me');
      return answer.status === 503 && answer;
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 });
    expect([await status('/readyz'), await status('/healthz')]).toEqual([503, 200]);
    await postgres.start();
    await waitFor(async () => (await status('/readyz')) === 200 && (await statusOfMe()) === 200);
    expect((await server.admin.request('GET', '/overview')).status).toBe(200);
  });
});
