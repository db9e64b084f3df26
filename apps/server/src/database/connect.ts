import { setTimeout as delay } from 'node:timers/promises';
import { createDataSource, migrateDatabase } from '@medley/database';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { ServerConfig } from '../config.js';
import { isDatabaseUnavailable } from './database-faults.js';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 1000;

/**
 * Migrates the schema and opens the pool. A database that is not there yet is waited for up to a minute; any other fault (wrong password, broken
 * migration) is thrown at once.
 */
export async function connectDatabase(config: ServerConfig, logger: Logger): Promise<DataSource> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const applied = await migrateDatabase(config.databaseUrl);
      if (applied.length > 0) logger.info({ migrations: applied }, 'the database schema was brought up to date');
      return await createDataSource({
        url: config.databaseUrl,
        poolSize: config.databasePoolSize,
        applicationName: 'medley-server',
      }).initialize();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > giveUpAt) throw error;
      logger.warn({ reason: (error as Error).message }, 'Postgres cannot be reached; trying again for up to a minute');
      await delay(PAUSE_MS);
    }
  }
}
