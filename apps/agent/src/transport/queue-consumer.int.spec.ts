import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { buildDispatch, buildWork } from '../testing/attempt-builders.js';
import { waitUntil } from '../testing/wait-until.js';

const QUEUE = '{node-1}';
const PREFIX = 'medley';
const PASSWORD = 'queue-secret-of-node-1';
const ACL = `reset on >${PASSWORD} resetchannels ~${PREFIX}:${QUEUE}:* -@all +@hash +@list +@set +@sortedset +@stream +@string +del +unlink +exists +pttl +ttl +pexpire +expire +type +bzpopmin +evalsha +eval +hello +auth +ping +quit +client|setname -@dangerous +info`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** A real Redis in which the agent is known by an ACL user that can touch its own queue only. */
class QueueRedis {
  private process: ChildProcess | null = null;
  private readonly directory = mkdtempSync(join(tmpdir(), 'medley-redis-'));
  admin!: Redis;

  constructor(readonly port: number) {}

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--save', '', '--dir', this.directory, '--bind', '127.0.0.1'];
    this.process = spawn('redis-server', options, { stdio: 'ignore' });
    this.admin = new Redis({ port: this.port, maxRetriesPerRequest: null, retryStrategy: () => 50 });
    this.admin.on('error', () => undefined);
    await this.admin.ping();
  }

  async allowAgent(): Promise<void> {
    await this.admin.call('ACL', 'SETUSER', 'node-1', ...ACL.split(' '));
  }

  async stop(): Promise<void> {
    this.admin.disconnect();
    this.process?.kill('SIGKILL');
    await once(this.process!, 'exit');
  }

  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.process!.kill(signal);
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

describe('an agent with a queue', () => {
  const scene = new AgentScene();
  let redis: QueueRedis;
  let queue: Queue;

  const openQueue = () => new Queue(QUEUE, { prefix: PREFIX, connection: redis.admin, streams: { events: { maxLen: 50 } } });
  const send = async (script: string) => {
    const dispatch = buildDispatch();
    scene.server.offer(dispatch, buildWork({ script }));
    await queue.add('dispatch', dispatch, { jobId: `${dispatch.taskRunId}-1-0`, attempts: 1 });
    return dispatch;
  };
  const carrierOf = (attemptId: string) => scene.server.seen(attemptId).claims[0]?.carrier;

  beforeAll(async () => {
    redis = new QueueRedis(await freePort());
    await redis.start();
    await redis.allowAgent();
    queue = openQueue();
    const { port } = redis;
    scene.server.queue = { host: '127.0.0.1', port, tls: false, username: 'node-1', password: PASSWORD, prefix: PREFIX, queueName: QUEUE };
    await scene.open();
  });

  afterAll(async () => {
    await scene.close();
    await redis.stop();
    redis.dispose();
  });

  it('takes messages from it with a user that can touch nothing else, and leaves no job behind', async () => {
    const dispatches = await Promise.all([1, 2, 3, 4, 5].map((number) => send(`echo ${number}`)));
    await Promise.all(dispatches.map((dispatch) => scene.finished(dispatch)));
    expect(dispatches.map((dispatch) => carrierOf(dispatch.attemptId))).toEqual(Array(5).fill('queue'));
    await waitUntil('empty queue', async () => Object.values(await queue.getJobCounts()).every((count) => count === 0));
    expect(scene.agent.log).not.toContain('queue trouble');
  });

  it('starts a message once that comes by the queue and by the long poll', async () => {
    const dispatch = buildDispatch();
    const work = buildWork({ script: 'echo once' });
    scene.server.dispatch(dispatch, work);
    await queue.add('dispatch', dispatch, { jobId: `${dispatch.taskRunId}-1-0` });
    await scene.finished(dispatch);
    expect(scene.server.seen(dispatch.attemptId).grants).toBe(1);
    expect(scene.stdout(dispatch)).toBe('once\n');
  });

  it('gets work by the long poll while Redis is frozen', async () => {
    redis.freeze('SIGSTOP');
    const dispatch = scene.run({ script: 'echo pulled' });
    await scene.finished(dispatch);
    redis.freeze('SIGCONT');
    expect(carrierOf(dispatch.attemptId)).toBe('pull');
  });

  it('ignores a message that is no dispatch', async () => {
    await queue.add('dispatch', { nonsense: true });
    const dispatch = await send('echo after');
    await scene.finished(dispatch);
    expect(scene.agent.log).toContain('a queue message is no dispatch');
  });

  it('listens again after Redis was killed, lost its users and got them back', async () => {
    await redis.stop();
    await redis.start();
    queue = openQueue();
    const pulled = scene.run({ script: 'echo pulled' });
    await scene.finished(pulled);
    await redis.allowAgent();
    const dispatch = await send('echo again');
    await scene.finished(dispatch, 40_000);
    expect(carrierOf(dispatch.attemptId)).toBe('queue');
  });
});
