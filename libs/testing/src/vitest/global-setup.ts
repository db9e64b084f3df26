import type { TestProject } from 'vitest/node';
import { prepareTemplate } from '../databases/test-database.js';
import { hasRedis, startPostgres, startRedis } from '../services/launch.js';
import type {} from './provided-context.js';

/** One Postgres and one Redis for the whole integration project; every test file then clones a database of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([startPostgres(), hasRedis() ? startRedis() : null]);
  const stop = async () => {
    await Promise.all([postgres.stop(), redis?.stop()]);
  };
  try {
    await prepareTemplate(postgres.url);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('postgresUrl', postgres.url);
  project.provide('redisUrl', redis?.url ?? null);
  return stop;
}
