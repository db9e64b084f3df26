import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { diesWithParent } from '../services/child.mjs';
import { root } from './paths.mjs';
import { StepFailed } from './step-failed.mjs';

export { StepFailed };

/**
 * Runs a program in the foreground with its output on the terminal, or with what `shown` makes of each line of it (null for none); resolves with
 * its exit code (128 when a signal ended it).
 */
export async function run(argv, { env = process.env, cwd = root, shown = null } = {}) {
  const [command, ...args] = diesWithParent('SIGTERM', argv);
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', shown === null ? 'inherit' : 'pipe', 'inherit'] });
  if (shown !== null) createInterface({ input: child.stdout }).on('line', (line) => print(shown(line)));
  const [code] = await once(child, 'close');
  return code ?? 128;
}

function print(line) {
  if (line !== null) console.log(line);
}

/** The same for a JavaScript file, with this Node. */
export function runNode(args, options) {
  return run([process.execPath, ...args], options);
}

/** Runs the main function of a script; a failed step ends it with its message and code 1. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error instanceof StepFailed ? `medley: ${error.message}` : error);
    process.exitCode = 1;
  }
}
