import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A real agent process of the built code, with a home of its own that several of them may use one after the other. */
export class AgentProcess {
  readonly home = mkdtempSync(join(tmpdir(), 'medley-agent-'));
  readonly lines: string[] = [];
  errors = '';
  private child: ChildProcess | null = null;

  /** `user` is the id of another user and group to run as; null for the caller's own. */
  constructor(
    private readonly environment: Record<string, string>,
    private readonly user: number | null = null,
  ) {
    if (user !== null) chownSync(this.home, user, user);
  }

  get pid(): number {
    return this.child!.pid!;
  }

  start(extra: Record<string, string> = {}): void {
    const { PATH = '', HOME = '' } = process.env;
    const environment = {
      PATH,
      HOME,
      MEDLEY_AGENT_HOME: this.home,
      MEDLEY_AGENT_NAME: 'node-1',
      MEDLEY_LOG_LEVEL: 'debug',
      ...this.environment,
      ...extra,
    };
    const identity = this.user === null ? {} : { uid: this.user, gid: this.user };
    const child = spawn(process.execPath, [MAIN], { env: environment, stdio: ['ignore', 'pipe', 'pipe'], ...identity });
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.lines.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    this.child = child;
  }

  get log(): string {
    return this.lines.join('');
  }

  async exit(): Promise<number | null> {
    const child = this.child!;
    if (child.exitCode === null && child.signalCode === null) {
      await once(child, 'exit');
    }
    return child.exitCode;
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    this.child!.kill(signal);
    await this.exit();
  }

  freeze(): void {
    this.child!.kill('SIGSTOP');
  }

  thaw(): void {
    this.child!.kill('SIGCONT');
  }

  /** Ends the process if it lives and removes its home. */
  async dispose(): Promise<void> {
    if (this.child !== null && this.child.exitCode === null && this.child.signalCode === null) {
      await this.signal('SIGKILL');
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}
