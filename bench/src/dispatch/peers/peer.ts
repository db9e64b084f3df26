import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PeerAnswer } from './peer-messages.js';

/** A job runner beside Medley: one process that adds jobs, another that works them off. */
export class Peer {
  private constructor(
    private readonly producer: ChildProcess,
    private readonly worker: ChildProcess,
  ) {}

  /** Starts both processes; the worker goes first, since it creates what the producer writes to. */
  static async start(name: 'bullmq' | 'graphile', storeUrl: string): Promise<Peer> {
    const worker = await startProcess(`${name}-worker.js`, storeUrl);
    try {
      return new Peer(await startProcess(`${name}-producer.js`, storeUrl), worker);
    } catch (error) {
      worker.kill('SIGKILL');
      throw error;
    }
  }

  /** Jobs per second from the first addition to the last acknowledgement. */
  async measure(count: number): Promise<number> {
    const worked = answerOf(this.worker);
    this.worker.send({ count });
    const added = answerOf(this.producer);
    this.producer.send({ count });
    const [{ fromMs }, { untilMs }] = await Promise.all([added, worked]);
    return (count / (untilMs - fromMs)) * 1000;
  }

  async stop(): Promise<void> {
    await Promise.all([this.producer, this.worker].map(end));
  }
}

async function startProcess(file: string, storeUrl: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [storeUrl], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    await nextMessage(child);
    return child;
  } catch (error) {
    await end(child);
    throw error;
  }
}

async function answerOf(child: ChildProcess): Promise<{ fromMs: number; untilMs: number }> {
  return (await nextMessage(child)) as { fromMs: number; untilMs: number };
}

async function nextMessage(child: ChildProcess): Promise<PeerAnswer> {
  const abort = new AbortController();
  const exited = once(child, 'exit', { signal: abort.signal }).then(() => {
    throw new Error(`${child.spawnfile} of the peer ended early`);
  });
  exited.catch(() => undefined);
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: abort.signal }), exited]);
    return message as PeerAnswer;
  } finally {
    abort.abort();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
