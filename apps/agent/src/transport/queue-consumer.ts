import { dispatchSchema, type QueueAccess } from '@medley/contracts';
import { type Job, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { ClaimDesk } from '../claims/claim-desk.js';
import type { Logger } from '../log.js';

const CONCURRENCY = 64;
const WATCH_MS = 1000;
const REBUILD_AFTER_MS = 5000;

interface Consumer {
  connection: Redis;
  worker: Worker;
  healthyAtMs: number;
  ended: boolean;
}

/**
 * Listens on the node's own queue. BullMQ is a carrier only: a message is handed over and done with, never retried here, because the server
 * sends again what is not claimed. Whatever Redis does (restart, freeze, forget the ACL user) ends in a log line and a new consumer.
 */
export class QueueConsumer {
  private access: QueueAccess | null = null;
  private consumer: Consumer | null = null;
  private watch: NodeJS.Timeout | null = null;
  private lastError = '';

  constructor(
    private readonly desk: ClaimDesk,
    private readonly log: Logger,
  ) {}

  get hasAccess(): boolean {
    return this.access !== null;
  }

  /** Listens with this access from now on; null means that there is no queue. */
  use(access: QueueAccess | null): void {
    if (JSON.stringify(access) === JSON.stringify(this.access)) {
      return;
    }
    this.access = access;
    this.dispose();
    if (access !== null) {
      this.build(access);
      this.watch ??= setInterval(() => this.lookAfter(), WATCH_MS);
    }
  }

  stop(): void {
    clearInterval(this.watch ?? undefined);
    this.watch = null;
    this.access = null;
    this.dispose();
  }

  private build(access: QueueAccess): void {
    const connection = new Redis({
      host: access.host,
      port: access.port,
      username: access.username,
      password: access.password,
      ...(access.tls ? { tls: {} } : {}),
      maxRetriesPerRequest: null,
      retryStrategy: () => 1000,
    });
    connection.on('error', (error) => this.note(error));
    const worker = new Worker(access.queueName, async (job: Job) => this.deliver(job), {
      connection,
      prefix: access.prefix,
      autorun: false,
      concurrency: CONCURRENCY,
      maxStalledCount: 0,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      drainDelay: 60,
      runRetryDelay: 1000,
    });
    worker.on('error', (error) => this.note(error));
    const consumer: Consumer = { connection, worker, healthyAtMs: Date.now(), ended: false };
    this.consumer = consumer;
    worker
      .run()
      .catch((error: unknown) => this.note(error))
      .finally(() => {
        consumer.ended = true;
      });
    this.log.info({ host: access.host, port: access.port, queue: access.queueName }, 'listening on the queue');
  }

  private deliver(job: Job): void {
    const dispatch = dispatchSchema.safeParse(job.data);
    if (dispatch.success) {
      this.desk.offer([dispatch.data], 'queue');
    } else {
      this.log.warn({ jobId: job.id }, 'a queue message is no dispatch; ignored');
    }
  }

  /** A worker whose start failed never tries again by itself, so one that is not in order for a while is replaced. */
  private lookAfter(): void {
    const { consumer, access } = this;
    if (consumer === null || access === null) {
      return;
    }
    if (consumer.connection.status === 'ready' && !consumer.ended) {
      consumer.healthyAtMs = Date.now();
    } else if (Date.now() - consumer.healthyAtMs >= REBUILD_AFTER_MS) {
      this.dispose();
      this.build(access);
    }
  }

  private dispose(): void {
    const { consumer } = this;
    this.consumer = null;
    if (consumer !== null) {
      // Forced: a message in hand has been handed over or will be sent again.
      consumer.worker.close(true).catch((error: unknown) => this.note(error));
      consumer.connection.disconnect();
    }
  }

  /** Connection errors repeat every second while Redis is away; each is told once. */
  private note(error: unknown): void {
    const text = String(error);
    if (text !== this.lastError) {
      this.lastError = text;
      this.log.warn({ error: text }, 'queue trouble; the long poll carries on');
    }
  }
}
