import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type MeasuredPerformance, measuredPerformanceSchema } from '@medley/contracts';
import { inTurn, turnAddress } from './measuring-turn.js';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('./measure-cli.js', import.meta.url));
/** An agent that was frozen in its turn must not keep the others from being measured for ever. */
const PATIENCE_MS = 60_000;

/**
 * Measures when it is this agent's turn on its machine, in a process of its own: it inherits the agent's cgroup and so its quota, and its
 * memory is gone afterwards. A large agent would pay for it with every process it starts, since a fork copies page tables.
 */
export async function measureInChild(directory: string, signal: AbortSignal): Promise<MeasuredPerformance> {
  const { stdout } = await inTurn(turnAddress('medley-measuring', process.platform), PATIENCE_MS, signal, () =>
    run(process.execPath, [CLI, directory, '--with-parent'], { env: {}, timeout: 60_000, signal }),
  );
  return measuredPerformanceSchema.parse(JSON.parse(stdout));
}
