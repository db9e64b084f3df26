import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type MeasuredPerformance, measuredPerformanceSchema } from '@medley/contracts';
import { inTurn, turnAddress } from './measuring-turn.js';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('./measure-cli.js', import.meta.url));
/** An agent that was frozen in its turn must not keep the others from being measured for ever. */
const PATIENCE_MS = 60_000;
const TIMEOUT_MS = 120_000;
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];

/** Holds the measuring process to the share that attempts get, until the returned function is called. */
export interface MeasuringThrottle {
  sharePercent: number;
  cover: (pid: number) => () => void;
}

/**
 * Measures when it is this agent's turn on its machine, in a process of its own: it inherits the agent's cgroup and so its quota, and its
 * memory is gone afterwards. A large agent would pay for it with every process it starts, since a fork copies page tables.
 */
export async function measureInChild(
  directory: string,
  signal: AbortSignal,
  throttle: MeasuringThrottle | null,
): Promise<MeasuredPerformance> {
  const share = throttle === null ? [] : ['--cpu-share', String(throttle.sharePercent)];
  const measure = async () => {
    const [program, ...args] = killedWithParent([process.execPath, CLI, directory, '--with-parent', ...share]);
    const running = run(program, args, { env: {}, timeout: TIMEOUT_MS, signal });
    const uncover = running.child.pid === undefined ? undefined : throttle?.cover(running.child.pid);
    return running.finally(uncover);
  };
  const { stdout } = await inTurn(turnAddress('medley-measuring', process.platform), PATIENCE_MS, signal, measure);
  return measuredPerformanceSchema.parse(JSON.parse(stdout));
}

/** One that the throttle has stopped does not notice the end of its parent: where Linux can, it kills it. */
function killedWithParent(argv: [string, ...string[]]): [string, ...string[]] {
  const setpriv = process.platform === 'linux' ? SETPRIV.find((path) => existsSync(path)) : undefined;
  return setpriv === undefined ? argv : [setpriv, '--pdeathsig', 'KILL', ...argv];
}
