import { spawn } from 'node:child_process';
import { openSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createProcessTree } from './process-tree.js';

/**
 * The wrapper of platforms without a Bourne shell (Windows). It leaves the same files in the attempt directory as `WRAPPER_SCRIPT`, and
 * outlives the agent likewise. Arguments: the attempt directory, then the command.
 */
const [directory, ...command] = process.argv.slice(2) as [string, ...string[]];
/** The largest status that is stored as it is; Windows has larger ones, such as 0xC0000005. */
const MAX_STATUS = 255;

const stdout = openSync(join(directory, 'stdout'), 'a');
const stderr = openSync(join(directory, 'stderr'), 'a');

function end(status: number): void {
  if (status > MAX_STATUS) writeSync(stderr, `medley: the command ended with status 0x${status.toString(16).toUpperCase()}\n`);
  writeFileSync(join(directory, 'exit'), `${Math.min(status, MAX_STATUS)}\n`);
  process.exit();
}

// A stop reaches the whole tree; this process notes how the command ended.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
const startMark = await createProcessTree(process.platform).startMark(process.pid);
writeFileSync(join(directory, 'pid'), `${process.pid} ${startMark ?? ''}\n`);
const child = spawn(command[0]!, command.slice(1), {
  cwd: join(directory, 'work'),
  stdio: ['inherit', stdout, stderr],
  windowsHide: true,
});
child.once('error', (error) => {
  writeSync(stderr, `medley: ${error.message}\n`);
  end(127);
});
child.once('exit', (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
