import { migrations } from '@medley/migrations';
import { DataSource } from 'typeorm';
import { entities } from './entities/index.js';
import { GuardedClient } from './guarded-client.js';

export interface DatabaseOptions {
  url: string;
  /** Connections kept at most; waiting for one is bounded by connectTimeoutMs. */
  poolSize?: number;
  applicationName?: string;
  connectTimeoutMs?: number;
  /** A statement running longer is cancelled by Postgres; bounds how long a pass can hang on a frozen database. */
  statementTimeoutMs?: number;
}

/** A TypeORM data source for Medley's schema; not connected yet. */
export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    entities,
    migrations,
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    applicationName: options.applicationName ?? 'medley',
    poolSize: options.poolSize ?? 12,
    connectTimeoutMS: options.connectTimeoutMs ?? 5000,
    extra: {
      ...timeouts(options.statementTimeoutMs ?? 30_000),
      keepAlive: true,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      pipeline: true,
      Client: GuardedClient,
    },
    poolErrorHandler: () => {},
  });
}

/** Longer than the intervals at which passes run: a connection made anew for each costs more than its statements. */
const IDLE_CONNECTION_MS = 60_000;

/** A transaction takes milliseconds; one that stands still for so long belongs to a process that is frozen or gone, and its locks are others' work. */
const IDLE_IN_TRANSACTION_MS = 5000;

/** The driver gives up a little later than Postgres would: that is for a Postgres that is frozen and cannot. */
function timeouts(statementTimeoutMs: number) {
  if (statementTimeoutMs === 0) return {};
  return {
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 5000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}

const MIGRATION_LOCK = 7_236_001;

/** Applies what is missing under an advisory lock, so that any number of servers may start at once. Returns the names applied. */
export async function migrateDatabase(url: string): Promise<string[]> {
  const source = createDataSource({ url, poolSize: 2, applicationName: 'medley-migrate', statementTimeoutMs: 0 });
  await source.initialize();
  const holder = source.createQueryRunner();
  try {
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await source.runMigrations({ transaction: 'each' });
    return applied.map((migration) => migration.name);
  } finally {
    await holder.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    await holder.release();
    await source.destroy();
  }
}
