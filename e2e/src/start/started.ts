import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@medley/testing';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const runner = [process.execPath, 'scripts/start.mjs'];
const npm = ['npm', 'start', '--silent', '--'];

/** How it is started: by npm instead of the command that npm runs, and as another user. */
export interface How {
  readonly env?: NodeJS.ProcessEnv;
  readonly byNpm?: boolean;
  readonly uid?: number | null;
}

/** One `npm start` under test, as a person sees it: what it prints, and how it ends. */
export class Started {
  #printed = '';
  readonly #runner: ChildProcess;

  constructor(args: readonly string[], { env = {}, byNpm = false, uid = null }: How = {}) {
    const [program, ...first] = (byNpm ? npm : runner) as [string, ...string[]];
    const identity = uid === null ? {} : { uid, gid: uid };
    const options = { cwd: root, detached: true, env: { ...environment(), ...env }, ...identity };
    this.#runner = spawn(program, [...first, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#runner.stdout, this.#runner.stderr]) stream?.on('data', (data) => this.#keep(String(data)));
  }

  #keep(text: string): void {
    this.#printed += text;
  }

  get printed(): string {
    return this.#printed;
  }

  /** What it said that it does, until it ran. */
  get steps(): string[] {
    const [before = ''] = this.#printed.split('Medley is running.');
    return before.split('\n').filter((line) => line !== '');
  }

  /** Waits until it says that it runs, and gives the console's address. */
  async untilRunning(): Promise<string> {
    await waitFor(() => this.#printed.includes('Ctrl-C stops everything') || this.#runner.exitCode !== null, {
      timeoutMs: 150_000,
      describe: () => `npm start to say that it runs. It said:\n${this.#printed}`,
    });
    const address = /console +(http:\S+)/.exec(this.#printed)?.[1];
    if (address === undefined) throw new Error(`npm start ended instead of running:\n${this.#printed}`);
    return address;
  }

  /** Waits for a line that holds this text, and gives the line. */
  async untilPrinted(text: string, timeoutMs = 120_000): Promise<string> {
    const find = () => this.#printed.split('\n').find((line) => line.includes(text));
    await waitFor(() => find() !== undefined, { timeoutMs, describe: () => `npm start to say "${text}". It said:\n${this.#printed}` });
    return find()!;
  }

  /** Name and password, when they were shown. */
  get credentials(): { name: string; password: string } | null {
    const match = /sign in +(\S+) \/ (\S+) +\(shown only this once\)/.exec(this.#printed);
    return match === null ? null : { name: match[1]!, password: match[2]! };
  }

  /** As Ctrl-C does; resolves with the exit code. */
  async interrupt(): Promise<number | null> {
    return this.end('SIGINT');
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.#runner.exitCode !== null || this.#runner.signalCode !== null) return this.#runner.exitCode;
    const exited = once(this.#runner, 'exit') as Promise<[number | null]>;
    this.#runner.kill(signal);
    return (await exited)[0];
  }

  async exitCode(): Promise<number | null> {
    if (this.#runner.exitCode === null) await once(this.#runner, 'exit');
    return this.#runner.exitCode;
  }
}

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG } = process.env;
  return { PATH, HOME, LANG };
}
