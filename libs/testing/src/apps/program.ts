import { fileURLToPath } from 'node:url';
import { type Child, diesWithParent, type Exit, startChild } from '@medley/scripts/services';

/** A server or agent under test: a process of its own, which dies with the test process whatever happens. */
export class Program {
  readonly #child: Child;

  constructor(child: Child) {
    this.#child = child;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** What it printed so far: JSON lines. */
  get output(): string {
    return this.#child.output;
  }

  get isRunning(): boolean {
    return this.#child.isRunning;
  }

  get exited(): Promise<Exit> {
    return this.#child.exited;
  }

  /** SIGTERM, and SIGKILL after the grace. */
  stop(graceMs = 10_000): Promise<Exit> {
    return this.#child.stop({ graceMs });
  }

  kill9(): Promise<Exit> {
    return this.#child.kill9();
  }

  /** SIGSTOP: the process keeps its connections and does nothing. */
  pause(): void {
    this.#child.signal('SIGSTOP');
  }

  resume(): void {
    this.#child.signal('SIGCONT');
  }
}

/** Path of an app's built entry; tests of whole processes run what is shipped, so the build comes first. */
export function builtEntry(app: 'server' | 'agent'): string {
  return fileURLToPath(new URL(`../../../../apps/${app}/dist/main.js`, import.meta.url));
}

/** Starts a Node program. SIGKILL follows the death of this process, because a frozen one would not heed SIGTERM. */
export function startNode(name: string, entry: string, env: NodeJS.ProcessEnv): Child {
  const argv = diesWithParent('SIGKILL', [process.execPath, '--enable-source-maps', entry]);
  return startChild({ name, argv, env: { ...inherited(), ...env } });
}

/** Only what a program needs: a developer's own MEDLEY_ settings must not change what a test sees. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR, TZ } = process.env;
  return { PATH, HOME, LANG, TMPDIR, TZ };
}
