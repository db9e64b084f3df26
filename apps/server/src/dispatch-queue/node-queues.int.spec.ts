import type { Dispatch, QueueAccess } from '@medley/contracts';
import { uuidv7 } from '@medley/database';
import { startRedis, waitFor } from '@medley/testing';
import { type Job, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NodeDispatch, NodeQueues } from './node-queues.js';

describe('dispatch queues', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let queues: NodeQueues;
  const nodes = [uuidv7(), uuidv7()];
  const open: { close(): unknown }[] = [];
  let warnings: string[];

  beforeAll(async () => {
    redis = await startRedis();
  });
  beforeEach(async () => {
    warnings = [];
    queues = queuesOn(redis.url);
    await waitFor(() => queues.usable);
  });
  afterEach(async () => {
    redis.child.signal('SIGCONT');
    await Promise.all(open.splice(0).map((each) => each.close()));
  });
  afterAll(async () => {
    await redis.stop();
  });

  function queuesOn(redisUrl: string | null): NodeQueues {
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg as string) });
    const made = new NodeQueues({ redisUrl, agentHost: null, agentPort: null, secret: 'secret', listNodeIds: async () => nodes }, log);
    open.push(made);
    return made;
  }

  function dispatch(nodeId: string, sendNo = 1): NodeDispatch {
    return { nodeId, taskRunId: uuidv7(), attemptId: uuidv7(), fence: 1, sendNo };
  }

  function connect(access: QueueAccess): Redis {
    const { host, port, username, password } = access;
    const client = new Redis({ host, port, username, password, maxRetriesPerRequest: null, retryStrategy: () => 100 });
    client.on('error', () => {});
    return client;
  }

  /** What a node's agent gets, by the user of that node. */
  async function listen(nodeId: string): Promise<Dispatch[]> {
    const access = (await queues.accessFor(nodeId))!;
    const connection = connect(access);
    const received: Dispatch[] = [];
    const worker = new Worker(access.queueName, async (job: Job<Dispatch>) => void received.push(job.data), {
      connection,
      prefix: access.prefix,
      maxStalledCount: 0,
      drainDelay: 1,
      runRetryDelay: 100,
    });
    worker.on('error', () => {});
    open.push({
      close: async () => {
        await worker.close(true);
        connection.disconnect();
      },
    });
    await worker.waitUntilReady();
    return received;
  }

  const payloadOf = ({ nodeId: _, ...payload }: NodeDispatch): Dispatch => payload;

  it('carry each message to the node it is for, and to no other', async () => {
    const [first, second] = [await listen(nodes[0]!), await listen(nodes[1]!)];
    const sent = Array.from({ length: 40 }, (_, index) => dispatch(nodes[index % 2]!));
    expect(await queues.send(sent)).toEqual([]);
    await waitFor(() => first.length + second.length === sent.length);
    const of = (nodeId: string) => sent.filter((each) => each.nodeId === nodeId).map(payloadOf);
    expect(first).toEqual(expect.arrayContaining(of(nodes[0]!)));
    expect(second).toEqual(expect.arrayContaining(of(nodes[1]!)));
  });

  it('carry a message that is sent again under the next number', async () => {
    const received = await listen(nodes[0]!);
    const first = dispatch(nodes[0]!);
    await queues.send([first]);
    await queues.send([{ ...first, sendNo: 2 }]);
    await waitFor(() => received.length === 2);
    expect(received.map(({ sendNo }) => sendNo)).toEqual([1, 2]);
  });

  it("let a node's user touch nothing but its own queue, and run no dangerous command", async () => {
    await queues.send([dispatch(nodes[1]!)]);
    const [own, other] = await Promise.all(nodes.map((id) => queues.accessFor(id)));
    const client = connect(own!);
    open.push({ close: () => client.disconnect() });
    const key = (access: QueueAccess, name: string) => `${access.prefix}:${access.queueName}:${name}`;
    await client.lpush(key(own!, 'own'), 'x');

    const foreign = key(other!, 'wait');
    const refused: [string, ...string[]][] = [
      ['LRANGE', foreign, '0', '-1'],
      ['LPUSH', foreign, 'x'],
      ['DEL', foreign],
      ['EVAL', `return redis.call('LRANGE', KEYS[1], 0, -1)`, '1', foreign],
      ['EVAL', `return redis.call('LRANGE', '${foreign}', 0, -1)`, '0'],
      ['RENAME', key(own!, 'own'), foreign],
      ['SET', 'anything', 'x'],
      ['KEYS', '*'],
      ['SCAN', '0'],
      ['FLUSHALL'],
      ['FLUSHDB'],
      ['CONFIG', 'GET', 'requirepass'],
      ['ACL', 'LIST'],
      ['ACL', 'SETUSER', 'me', 'on', 'nopass', '+@all', '~*'],
      ['CLIENT', 'LIST'],
      ['CLIENT', 'KILL', 'TYPE', 'normal'],
      ['MONITOR'],
      ['DEBUG', 'SLEEP', '0'],
      ['SHUTDOWN', 'NOSAVE'],
      ['REPLICAOF', '127.0.0.1', '1'],
      ['SCRIPT', 'FLUSH'],
      ['PUBLISH', 'channel', 'x'],
      ['SUBSCRIBE', 'channel'],
    ];
    const granted: string[] = [];
    for (const [command, ...args] of refused) {
      await client.call(command, ...args).then(
        () => granted.push([command, ...args].join(' ')),
        (error: Error) => expect(error.message, command).toMatch(/NOPERM|ACL failure|can't (run|access)|No permissions|not allowed/i),
      );
    }
    expect(granted).toEqual([]);
  });

  it('refuse a wrong password', async () => {
    const access = (await queues.accessFor(nodes[0]!))!;
    const client = connect({ ...access, password: `${access.password}x` });
    open.push({ close: () => client.disconnect() });
    const errors: string[] = [];
    client.on('error', (error) => errors.push(error.message));
    await waitFor(() => errors.some((message) => message.includes('WRONGPASS')));
  });

  it('go on after FLUSHALL', async () => {
    const received = await listen(nodes[0]!);
    await queues.send([dispatch(nodes[0]!)]);
    await waitFor(() => received.length === 1);
    const admin = new Redis(redis.url);
    await admin.flushall();
    admin.disconnect();
    await waitFor(async () => {
      expect(await queues.send([dispatch(nodes[0]!)])).toEqual([]);
      return received.length >= 2;
    });
  });

  it('create the users anew when Redis comes back without them, and carry messages to the same workers', async () => {
    const received = await listen(nodes[0]!);
    await redis.kill9();
    await waitFor(() => !queues.usable);
    expect(await queues.send([dispatch(nodes[0]!)])).toHaveLength(1);
    expect(await queues.accessFor(nodes[0]!)).toBeNull();

    await redis.start();
    await waitFor(() => queues.usable);
    const message = dispatch(nodes[0]!);
    expect(await queues.send([message])).toEqual([]);
    await waitFor(() => received.length === 1);
    expect(received).toEqual([payloadOf(message)]);
  });

  it('say within about two seconds that a frozen Redis took nothing, at once from then on, and work again when it thaws', async () => {
    await queues.send([dispatch(nodes[0]!), dispatch(nodes[1]!)]);
    redis.child.signal('SIGSTOP');
    const before = performance.now();
    const failed = await queues.send([dispatch(nodes[0]!), dispatch(nodes[1]!)]);
    expect(failed).toHaveLength(2);
    expect(performance.now() - before).toBeLessThan(4000);
    expect(queues.usable).toBe(false);

    const again = performance.now();
    expect(await queues.send([dispatch(nodes[0]!)])).toHaveLength(1);
    expect(performance.now() - again).toBeLessThan(500);

    redis.child.signal('SIGCONT');
    await waitFor(() => queues.usable);
    expect(await queues.send([dispatch(nodes[0]!)])).toEqual([]);
  });

  it('are not usable without Redis, and neither where the server may not create users, which is said once', async () => {
    const none = queuesOn(null);
    expect([none.usable, await none.accessFor(nodes[0]!)]).toEqual([false, null]);
    const one = dispatch(nodes[0]!);
    expect(await none.send([one])).toEqual([one]);

    const admin = new Redis(redis.url);
    await admin.call('ACL', 'SETUSER', 'limited', 'on', '>limited', '~*', '&*', '+@all', '-acl');
    const limited = queuesOn(redis.url.replace(/\/\/:[^@]*@/, '//limited:limited@'));
    const rejected = async () => Number(/cmdstat_acl\|setuser:.*rejected_calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0);
    await waitFor(async () => (await rejected()) >= 3);
    admin.disconnect();
    expect(limited.usable).toBe(false);
    expect(await limited.send([one])).toEqual([one]);
    expect(warnings.filter((text) => text.includes('create users'))).toHaveLength(1);
  });
});
