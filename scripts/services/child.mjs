import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from './programs.mjs';

const keptOutputCharacters = 256 * 1024;

/**
 * The command line that makes the kernel send `signal` to the program when the process that starts it dies, however it dies.
 * Unchanged where there is no setpriv. Must stand innermost: changing user or namespace clears the arrangement.
 */
export function diesWithParent(signal, argv) {
  const setpriv = findProgram('setpriv');
  if (process.platform !== 'linux' || setpriv === null) return argv;
  return [setpriv, '--pdeathsig', signal.replace(/^SIG/, ''), ...argv];
}

/**
 * Starts a child in a session of its own, so that Ctrl-C in the terminal reaches the parent alone and the order of stopping is the parent's.
 * Output goes to `logFile` (appended) or is kept in memory, the last 256 Ki characters of it.
 */
export function startChild({ name, argv, env = process.env, cwd, logFile, input }) {
  const log = logFile === undefined ? null : openLog(logFile);
  const output = log === null ? 'pipe' : log.descriptor;
  const [command, ...args] = argv;
  const child = spawn(command, args, { env, cwd, detached: true, stdio: [input === undefined ? 'ignore' : 'pipe', output, output] });
  if (log !== null) closeSync(log.descriptor);
  if (input !== undefined) child.stdin.end(input);
  return new Child(name, child, log);
}

function openLog(path) {
  const descriptor = openSync(path, 'a', 0o600);
  return { path, descriptor, start: fstatSync(descriptor).size };
}

/** A running child process: what it printed, whether it lives, and the ways to end it. */
class Child {
  #output = '';
  #log;
  #process;

  constructor(name, child, log) {
    this.name = name;
    this.pid = child.pid;
    this.exit = null;
    this.#log = log;
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text) => this.#keep(text));
    }
    this.exited = new Promise((resolve) => {
      const end = (exit) => {
        this.exit ??= exit;
        resolve(this.exit);
      };
      child.once('error', (error) => {
        this.#keep(`${error.message}\n`);
        end({ code: 127, signal: null });
      });
      child.once('exit', (code, signal) => end({ code, signal }));
    });
  }

  #keep(text) {
    this.#output = (this.#output + text).slice(-keptOutputCharacters);
  }

  /** What the child printed so far, the last part of it. */
  get output() {
    return this.#log === null ? this.#output : this.#output + readTail(this.#log);
  }

  get isRunning() {
    return this.exit === null;
  }

  /** Sends a signal; false when the process is gone already. */
  signal(signal) {
    return this.isRunning && this.#process.kill(signal);
  }

  /** Asks the child to end, wakes it should it be frozen, and kills it when the grace is over. Resolves once it is gone. */
  async stop({ signal = 'SIGTERM', graceMs = 10_000 } = {}) {
    this.signal(signal);
    this.signal('SIGCONT');
    const patience = new AbortController();
    const forced = delay(graceMs, undefined, { signal: patience.signal }).then(
      () => this.signal('SIGKILL'),
      () => undefined,
    );
    const exit = await this.exited;
    patience.abort();
    await forced;
    return exit;
  }

  /** SIGKILL by pid; resolves once the process is gone. */
  async kill9() {
    this.signal('SIGKILL');
    return this.exited;
  }
}

function readTail({ path, start }) {
  const descriptor = openSync(path, 'r');
  try {
    const end = fstatSync(descriptor).size;
    const from = Math.max(start, end - keptOutputCharacters);
    const buffer = Buffer.alloc(Math.max(0, end - from));
    readSync(descriptor, buffer, 0, buffer.length, from);
    return buffer.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until `condition` returns something other than null, undefined or false; fails at once when the child ends before. */
export async function untilReady(child, condition, { timeoutMs = 30_000, pollMs = 20 } = {}) {
  const deadline = performance.now() + timeoutMs;
  while (child.isRunning) {
    const value = await condition();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > deadline) {
      await child.kill9();
      throw new Error(`${child.name} was not ready within ${timeoutMs / 1_000} s\n${child.output}`);
    }
    await delay(pollMs);
  }
  throw new Error(`${child.name} ended while starting (code ${child.exit.code}, signal ${child.exit.signal})\n${child.output}`);
}
