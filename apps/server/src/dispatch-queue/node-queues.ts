import type { Dispatch, QueueAccess } from '@medley/contracts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { QUEUE_PREFIX, queueNameOf, queuePasswordOf, queueUserOf, queueUserRules } from './queue-user.js';

export interface NodeDispatch extends Dispatch {
  nodeId: string;
}

export interface NodeQueuesOptions {
  /** Null: there is no Redis, agents pull. */
  redisUrl: string | null;
  /** The address under which agents reach the same Redis; that of `redisUrl` when null. */
  agentHost: string | null;
  agentPort: number | null;
  /** Keys the queue passwords. */
  secret: string;
  /** Whose users to create anew when Redis comes back without them. */
  listNodeIds: () => Promise<string[]>;
}

const COMMAND_TIMEOUT_MS = 2000;
const PROBE_MS = 1000;

/**
 * Hands dispatch messages to BullMQ, one queue per node. Redis may be absent, frozen or wiped at any moment: `send` then says which messages it could not
 * hand over, at once while Redis is known to be away, and the caller leaves them to the pull. A message reported as failed may still arrive.
 */
export class NodeQueues {
  private readonly client: Redis | null;
  private readonly queues = new Map<string, Queue>();
  private readonly probe: NodeJS.Timeout | null;
  private healthy = false;
  private usersAllowed = true;
  /** Creating users is tried again with every probe, but complained about once. */
  private refusalTold = false;

  constructor(
    private readonly options: NodeQueuesOptions,
    private readonly logger: Logger,
  ) {
    this.client = options.redisUrl ? this.connect(options.redisUrl) : null;
    this.probe = this.client ? setInterval(() => void this.checkHealth(), PROBE_MS) : null;
  }

  /** False while dispatches have to be pulled. */
  get usable(): boolean {
    return this.healthy && this.usersAllowed;
  }

  /** Returns the messages that were not handed over. */
  async send(dispatches: readonly NodeDispatch[]): Promise<NodeDispatch[]> {
    if (!this.usable) return [...dispatches];
    const failed = await Promise.all([...groupByNode(dispatches)].map(([nodeId, group]) => this.sendToNode(nodeId, group)));
    return failed.flat();
  }

  /** What a node needs to listen to its queue, its Redis user created; null when it has to pull. */
  async accessFor(nodeId: string): Promise<QueueAccess | null> {
    if (!this.client || !this.usable || !(await this.createUser(nodeId))) return null;
    const { host, port, tls } = this.client.options;
    return {
      host: this.options.agentHost ?? host ?? '127.0.0.1',
      port: this.options.agentPort ?? port ?? 6379,
      tls: Boolean(tls),
      username: queueUserOf(nodeId),
      password: queuePasswordOf(this.options.secret, nodeId),
      prefix: QUEUE_PREFIX,
      queueName: queueNameOf(nodeId),
    };
  }

  async close(): Promise<void> {
    if (this.probe) clearInterval(this.probe);
    this.client?.disconnect();
  }

  private connect(url: string): Redis {
    const client = new Redis(url, {
      enableOfflineQueue: false,
      commandTimeout: COMMAND_TIMEOUT_MS,
      maxRetriesPerRequest: null,
      retryStrategy: () => 1000,
    });
    client.on('error', () => this.becomeUnhealthy());
    client.on('close', () => this.becomeUnhealthy());
    client.on('ready', () => void this.becomeHealthy());
    return client;
  }

  private becomeUnhealthy(): void {
    if (this.healthy) this.logger.warn('Redis does not answer; agents pull their work until it does');
    this.healthy = false;
  }

  private async becomeHealthy(): Promise<void> {
    if (this.healthy) return;
    try {
      const nodeIds = await this.options.listNodeIds();
      this.usersAllowed = true;
      for (const nodeId of nodeIds) if (!(await this.createUser(nodeId))) return;
      this.healthy = true;
      this.refusalTold = false;
      this.logger.info({ nodes: nodeIds.length }, 'Redis carries dispatch messages');
    } catch (error) {
      this.logger.warn({ err: error }, 'Redis answers but is not usable yet');
    }
  }

  /** Finds a Redis that is frozen, and one that answers again. */
  private async checkHealth(): Promise<void> {
    if (this.client?.status !== 'ready') return;
    try {
      await this.client.ping();
      await this.becomeHealthy();
    } catch {
      this.becomeUnhealthy();
    }
  }

  private async createUser(nodeId: string): Promise<boolean> {
    try {
      await this.client?.call('ACL', 'SETUSER', ...queueUserRules(this.options.secret, nodeId));
      return true;
    } catch (error) {
      if (/NOPERM|unknown command/i.test((error as Error).message)) {
        this.usersAllowed = false;
        if (!this.refusalTold) this.logger.warn({ err: error }, 'Redis does not let the server create users; agents pull their work');
        this.refusalTold = true;
      }
      return false;
    }
  }

  private async sendToNode(nodeId: string, dispatches: NodeDispatch[]): Promise<NodeDispatch[]> {
    try {
      const jobs = dispatches.map(({ taskRunId, attemptId, fence, sendNo, awaits }) => ({
        name: 'dispatch',
        data: { taskRunId, attemptId, fence, sendNo, ...(awaits ? { awaits } : {}) } satisfies Dispatch,
        opts: { jobId: `${taskRunId}-${fence}-${sendNo}`, attempts: 1, removeOnComplete: true, removeOnFail: true },
      }));
      await withinTimeout(this.queueOf(nodeId).addBulk(jobs), COMMAND_TIMEOUT_MS);
      return [];
    } catch (error) {
      this.logger.warn({ err: error, nodeId }, 'a dispatch message could not be queued; it will be pulled');
      this.becomeUnhealthy();
      return dispatches;
    }
  }

  private queueOf(nodeId: string): Queue {
    let queue = this.queues.get(nodeId);
    if (!queue) {
      queue = new Queue(queueNameOf(nodeId), {
        connection: this.client!,
        prefix: QUEUE_PREFIX,
        skipVersionCheck: true,
        streams: { events: { maxLen: 50 } },
      });
      queue.on('error', () => {});
      this.queues.set(nodeId, queue);
    }
    return queue;
  }
}

function groupByNode(dispatches: readonly NodeDispatch[]): Map<string, NodeDispatch[]> {
  const groups = new Map<string, NodeDispatch[]>();
  for (const dispatch of dispatches) {
    const group = groups.get(dispatch.nodeId);
    if (group) group.push(dispatch);
    else groups.set(dispatch.nodeId, [dispatch]);
  }
  return groups;
}

async function withinTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
