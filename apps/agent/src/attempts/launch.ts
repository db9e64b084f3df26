import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AttemptWork } from '@medley/contracts';
import type { Command } from '../executors/executor.js';
import { executors } from '../executors/index.js';
import { maskedCommand } from '../executors/masked-command.js';
import { WRAPPER_SCRIPT } from './wrapper.js';

const NODE_WRAPPER = fileURLToPath(new URL('./node-wrapper.js', import.meta.url));

/** Creates the attempt directory (0700) with what the command needs, and says what to run. */
export async function prepareDirectory(work: AttemptWork, directory: string, python: string | null): Promise<Command> {
  if (work.kind === 'noop') {
    throw new Error('a noop has nothing to launch');
  }
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const command = maskedCommand(work, executors[work.kind](work, { directory, python, platform: process.platform }), directory);
  await Promise.all([
    mkdir(join(directory, 'work'), { recursive: true }),
    ...command.files.map((file) => writeFile(join(directory, file.name), file.content, { mode: 0o600 })),
  ]);
  return command;
}

/**
 * Starts the wrapper in a session of its own. Throws, or the child emits `error`, when the system refuses (too many processes, an
 * environment that is too large).
 */
export function launchWrapper(
  directory: string,
  command: Command,
  cgroups: readonly string[],
  environment: Record<string, string>,
): ChildProcess {
  const [program, ...wrapper] = wrapperArgv(process.platform, directory, cgroups);
  const child = spawn(program!, [...wrapper, ...command.argv], {
    cwd: directory,
    detached: true,
    windowsHide: true,
    env: { ...command.environment, ...environment },
    stdio: [command.stdin === null ? 'ignore' : 'pipe', 'ignore', 'ignore'],
  });
  if (command.stdin !== null) {
    // A command that ends without reading its input closes the pipe; its exit status tells the rest.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(command.stdin);
  }
  child.unref();
  return child;
}

function wrapperArgv(platform: NodeJS.Platform, directory: string, cgroups: readonly string[]): string[] {
  if (platform === 'win32') return [process.execPath, NODE_WRAPPER, directory];
  const entrances = [0, 1].map((index) => (cgroups[index] === undefined ? '' : join(cgroups[index], 'cgroup.procs')));
  return ['/bin/sh', '-c', WRAPPER_SCRIPT, 'medley-attempt', directory, ...entrances];
}
