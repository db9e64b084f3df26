import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, guardTransitions, type RestClient, signIn, type TestDatabase, temporaryDirectory } from '@medley/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { onRouteHookHandler } from 'fastify';
import { DataSource } from 'typeorm';
import { inject } from 'vitest';
import { readServerConfig } from '../config.js';
import { createApp } from '../create-app.js';
import { createLogger } from '../logging/logger.js';

export interface TestServer {
  app: NestFastifyApplication;
  url: string;
  source: DataSource;
  credentials: { adminName: string; adminPassword: string; joinToken: string };
  /** Signed in as the administrator. */
  admin: RestClient;
  close(): Promise<void>;
}

/** The whole server in this process, on a free port and a database of its own. */
export async function startTestServer(env: Record<string, string> = {}, onRoute?: onRouteHookHandler): Promise<TestServer> {
  const database: TestDatabase | null = env.MEDLEY_DATABASE_URL ? null : await createTestDatabase(inject('postgresUrl'));
  if (database) await guardTransitions(database.url);
  const directory = temporaryDirectory('bootstrap');
  const bootstrapFile = join(directory.path, 'bootstrap.json');
  const config = readServerConfig({
    MEDLEY_DATABASE_URL: database?.url,
    MEDLEY_PORT: '0',
    MEDLEY_BOOTSTRAP_FILE: bootstrapFile,
    MEDLEY_DATA_DIR: join(directory.path, 'data'),
    MEDLEY_DATABASE_POOL_SIZE: '6',
    ...env,
  });
  const app = await createApp(config, createLogger('silent'), onRoute);
  await app.listen(config.port, '127.0.0.1');
  const url = await app.getUrl();
  const credentials = JSON.parse(readFileSync(bootstrapFile, 'utf8')) as TestServer['credentials'];
  return {
    app,
    url,
    source: app.get(DataSource),
    credentials,
    admin: await signIn(url, credentials.adminName, credentials.adminPassword),
    close: async () => {
      await app.close();
      await database?.drop();
      directory.remove();
    },
  };
}
