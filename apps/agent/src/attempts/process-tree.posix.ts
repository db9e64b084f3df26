import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ProcessTree, sendSignals, type TreeTarget } from './process-tree.js';

const run = promisify(execFile);

async function ps(args: string[]): Promise<string> {
  try {
    return (await run('env', ['LC_ALL=C', 'ps', ...args])).stdout;
  } catch {
    return '';
  }
}

/**
 * macOS and other Unixes without /proc: the tree is the wrapper's process group. A process that calls setsid itself escapes it. Written for
 * these platforms, not tested on them.
 */
export function createPosixProcessTree(): ProcessTree {
  const members = async (target: TreeTarget): Promise<number[]> => {
    if (target.wrapperPid === null) {
      return [];
    }
    const lines = (await ps(['-axo', 'pid=,pgid=,stat='])).split('\n').map((line) => line.trim().split(/\s+/));
    return lines.filter(([, group, state]) => Number(group) === target.wrapperPid && !state?.startsWith('Z')).map(([pid]) => Number(pid));
  };
  return {
    startMark: async (pid) => (await ps(['-o', 'lstart=', '-p', String(pid)])).trim() || null,
    members,
    leftovers: members,
    signal: async (_target, pids, signal) => sendSignals(pids, signal),
  };
}
