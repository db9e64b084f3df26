import { Logger, run } from 'graphile-worker';
import { GRAPHILE_CONCURRENCY, GRAPHILE_POOL_SIZE, GRAPHILE_SCHEMA } from './graphile-names.js';
import { JobCounter } from './job-counter.js';
import { servePeer } from './peer-messages.js';

const jobs = new JobCounter();
const runner = await run({
  connectionString: process.argv[2] as string,
  schema: GRAPHILE_SCHEMA,
  concurrency: GRAPHILE_CONCURRENCY,
  maxPoolSize: GRAPHILE_POOL_SIZE,
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: { noop: async () => undefined },
});
// `job:complete` comes after the job has been deleted in the database.
runner.events.on('job:complete', () => jobs.count());

servePeer(({ count }) => jobs.next(count));
