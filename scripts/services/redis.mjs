import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureProgram } from './apt.mjs';
import { diesWithParent, startChild, untilReady } from './child.mjs';
import { askPort, freePort } from './ports.mjs';
import { findProgram } from './programs.mjs';

const programs = ['redis-server', 'valkey-server'];

/** The Redis server program, installed when `install` allows it and that is possible; null when there is none. */
export function findRedis({ install = false, log } = {}) {
  if (install) return ensureProgram({ programs, packages: ['redis-server'], purpose: 'it carries dispatch messages', log });
  return programs.map(findProgram).find((path) => path !== null) ?? null;
}

/**
 * Starts Redis on 127.0.0.1 with a generated password and without persistence: it only carries messages that Postgres can repeat.
 * Resolves when it answers.
 */
export async function startRedis({ directory, port, password = randomBytes(24).toString('base64url'), program = findRedis(), logFile }) {
  if (program === null) throw new Error('No redis-server on this machine. Install it, or set REDIS_URL.');
  const options = { directory: resolve(directory), port: port ?? (await freePort()), password, program, logFile };
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  return new Redis(await launch(options), options);
}

/** One running Redis. */
class Redis {
  #child;
  #options;

  constructor(child, options) {
    this.#child = child;
    this.#options = options;
    this.port = options.port;
    this.url = `redis://:${options.password}@127.0.0.1:${options.port}/0`;
  }

  get pid() {
    return this.#child.pid;
  }

  get child() {
    return this.#child;
  }

  stop() {
    return this.#child.stop();
  }

  kill9() {
    return this.#child.kill9();
  }

  /** Starts it again, empty, on the same port and with the same password after `stop` or `kill9`. */
  async start() {
    if (!this.#child.isRunning) this.#child = await launch(this.#options);
  }
}

async function launch({ directory, port, password, program, logFile }) {
  // The configuration travels over stdin: a password on the command line could be read by every user of the machine.
  const configuration = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${directory}"`,
    'save ""',
    'appendonly no',
    'daemonize no',
    'maxmemory-policy noeviction',
  ];
  const argv = diesWithParent('SIGTERM', [program, '-']);
  const child = startChild({ name: 'Redis', argv, cwd: directory, logFile, input: `${configuration.join('\n')}\n` });
  const request = `AUTH ${password}\r\nPING\r\n`;
  await untilReady(child, async () => (await askPort({ port, request }))?.includes('+OK'));
  return child;
}
