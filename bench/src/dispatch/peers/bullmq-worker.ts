import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { BULLMQ_CONCURRENCY, BULLMQ_PREFIX, BULLMQ_QUEUE } from './bullmq-names.js';
import { JobCounter } from './job-counter.js';
import { servePeer } from './peer-messages.js';

const connection = new Redis(process.argv[2] as string, { maxRetriesPerRequest: null });
const jobs = new JobCounter();
const worker = new Worker(BULLMQ_QUEUE, async () => undefined, {
  connection,
  prefix: BULLMQ_PREFIX,
  concurrency: BULLMQ_CONCURRENCY,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
});
// `completed` comes after the acknowledgement has reached Redis.
worker.on('completed', () => jobs.count());
await worker.waitUntilReady();

servePeer(({ count }) => jobs.next(count));
