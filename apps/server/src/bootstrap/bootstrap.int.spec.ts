import type { Page, PoolView } from '@medley/contracts';
import { createTestDatabase, type TestDatabase } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readServerConfig } from '../config.js';
import { createApp } from '../create-app.js';
import { createLogger } from '../logging/logger.js';
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
