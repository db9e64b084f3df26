import type { Me, Page, PoolView } from '@medley/contracts';
import { createTestDatabase, type TestDatabase, withToken } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hashToken } from '../access/tokens/secrets.js';
import { readServerConfig } from '../config.js';
import { createApp } from '../create-app.js';
import { createLogger } from '../logging/logger.js';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('the pool `default`', () => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase(inject('postgresUrl'));
    server = await startTestServer({ MEDLEY_DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });

  const pools = async () => (await server.admin.get<Page<PoolView>>('/pools')).items;

  async function startAnotherServer(): Promise<void> {
    const config = readServerConfig({ MEDLEY_DATABASE_URL: database.url, MEDLEY_PORT: '0', MEDLEY_DATABASE_POOL_SIZE: '3' });
    const app = await createApp(config, createLogger('silent'));
    await app.listen(0, '127.0.0.1');
    await app.close();
  }

  it('is made at the first start', async () => {
    expect((await pools()).map(({ name }) => name)).toEqual(['default']);
  });

  it('does not come back at the next start once it was removed, whether others are there or not', async () => {
    const other = await server.admin.post<PoolView>('/pools', { name: 'other' });
    const [first] = (await pools()).filter(({ name }) => name === 'default');
    await server.source.query('update join_tokens set revoked_at = clock_timestamp()');
    await server.admin.delete(`/pools/${first!.id}`);
    await startAnotherServer();
    expect((await pools()).map(({ name }) => name)).toEqual(['other']);

    await server.admin.delete(`/pools/${other.id}`);
    await startAnotherServer();
    expect(await pools()).toEqual([]);
  });
});

describe('whoever starts a server', () => {
  let database: TestDatabase;
  let server: TestServer | null = null;
  beforeAll(async () => {
    database = await createTestDatabase(inject('postgresUrl'));
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });

  const startWith = (token: string) =>
    startTestServer({ MEDLEY_DATABASE_URL: database.url, MEDLEY_START_TOKEN_SHA256: hashToken(token).toString('hex') });

  it('may set things up for an hour by a token of which the server knows the hash only, and leaves no trace of earlier ones', async () => {
    server = await startWith('medley_api_of-the-first-start');
    const sql = (text: string) => server!.source.query(text) as Promise<Record<string, unknown>[]>;
    const starter = withToken(server.url, 'medley_api_of-the-first-start');
    expect(await starter.get<Me>('/me')).toMatchObject({ name: 'admin', via: 'token', scopes: ['read', 'write', 'admin'] });
    const [validity] = await sql('select round(extract(epoch from expires_at - clock_timestamp()) / 60)::int as minutes from api_tokens');
    expect(validity).toEqual({ minutes: 60 });

    await sql("update api_tokens set expires_at = clock_timestamp() - interval '1 second'");
    expect(await problemFrom(starter.get('/me'))).toMatchObject({ status: 401 });
    const config = readServerConfig({
      MEDLEY_DATABASE_URL: database.url,
      MEDLEY_START_TOKEN_SHA256: hashToken('medley_api_of-the-second-start').toString('hex'),
    });
    const second = await createApp(config, createLogger('silent'));
    await second.init();
    await second.close();
    expect(await withToken(server.url, 'medley_api_of-the-second-start').get<Me>('/me')).toMatchObject({ name: 'admin' });
    expect(await sql('select name from api_tokens')).toEqual([{ name: 'npm start' }]);
  });
});
