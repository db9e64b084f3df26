import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Reads lines of process ids until its input ends, which is when the agent is gone, however it went. Then it continues the processes of the
 * last line and empties the file named first, to say that it has done so. Builtins only; signals meant for the agent do not end it.
 */
const SCRIPT = `trap : HUP INT TERM
held=
while :; do
  if read -r line; then held=$line; elif [ $? -le 128 ]; then break; fi
done
[ -z "$held" ] || kill -CONT $held 2>/dev/null
: >"$1"
`;

/** A tiny process beside the agent that continues what the agent held, should it die by SIGKILL. */
export class Watchdog {
  private child: ChildProcess | null = null;

  constructor(
    private readonly file: string,
    private readonly onDeath: () => void,
  ) {}

  start(): void {
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'medley-throttle-watchdog', this.file], {
      cwd: '/',
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin?.on('error', () => undefined);
    const over = () => {
      if (this.child !== child) return;
      this.child = null;
      this.onDeath();
    };
    child.on('error', over);
    child.on('exit', over);
    child.unref();
    (child.stdin as (NodeJS.WritableStream & { unref?: () => void }) | null)?.unref?.();
    this.child = child;
  }

  /** Names what is about to be held; whether the watchdog surely has it, which is the condition for holding anything. */
  note(pids: readonly number[]): boolean {
    const input = this.child?.stdin;
    if (!input?.writable) return false;
    input.write(`${pids.join(' ')}\n`);
    return input.writableLength === 0;
  }

  /** It continues what is held, and goes. */
  stop(): void {
    const child = this.child;
    this.child = null;
    child?.stdin?.end();
  }
}
