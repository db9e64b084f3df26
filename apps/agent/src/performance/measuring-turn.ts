import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from '../backoff.js';

const ASK_MS = 50;

/**
 * Where the turn is held. A listening local socket serves as a lock file that the kernel frees when its holder dies, however it dies; on Linux
 * (abstract) and Windows (pipe) it is no file at all, so nothing of it can be left behind or be owned by another user.
 */
export function turnAddress(name: string, platform: NodeJS.Platform): string {
  if (platform === 'linux') return `\0${name}`;
  return platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.socket`);
}

/**
 * Runs `work` while no other agent of this machine runs its own: agents that measure at the same time measure each other. Who has waited for
 * `patienceMs` goes on all the same, since an undisturbed measurement is no condition for working. Rejects when `signal` is aborted.
 */
export async function inTurn<T>(address: string, patienceMs: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  let turn = await take(address);
  while (turn === null && performance.now() < deadline) {
    await pause(ASK_MS * (0.5 + Math.random()), signal);
    signal.throwIfAborted();
    turn = await take(address);
  }
  try {
    return await work();
  } finally {
    turn?.close();
  }
}

/** The held turn, or null when another process has it. */
async function take(address: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  const failure = await new Promise<string | null>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(address, () => resolve(null));
  });
  if (failure === null) return server;
  if (failure === 'EADDRINUSE' && address.startsWith('/') && !(await answers(address))) rmSync(address, { force: true });
  return null;
}

/** Whether somebody listens: the socket file of a process that was killed stays, and answers nothing. */
function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
