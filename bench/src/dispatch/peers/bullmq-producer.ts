import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { BULLMQ_PREFIX, BULLMQ_QUEUE } from './bullmq-names.js';
import { servePeer } from './peer-messages.js';

const CHUNK = 500;
const connection = new Redis(process.argv[2] as string, { maxRetriesPerRequest: null });
const queue = new Queue(BULLMQ_QUEUE, { connection, prefix: BULLMQ_PREFIX, streams: { events: { maxLen: 50 } } });
await queue.waitUntilReady();

servePeer(async ({ count }) => {
  for (let from = 0; from < count; from += CHUNK) {
    const jobs = Array.from({ length: Math.min(CHUNK, count - from) }, (_, index) => ({
      name: 'noop',
      data: { number: from + index },
      opts: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    }));
    await queue.addBulk(jobs);
  }
});
