import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessTree, TreeTarget } from './process-tree.js';

const run = promisify(execFile);

async function startTicks(pid: number): Promise<string | null> {
  try {
    const { stdout } = await run('powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

/**
 * Windows: `taskkill /T` follows parent ids, so a child whose parent has ended is not found. There is no TERM; both signals end the tree at
 * once. Written for Windows, not tested on it.
 */
export function createWindowsProcessTree(): ProcessTree {
  const members = async (target: TreeTarget): Promise<number[]> =>
    target.wrapperPid !== null && (await startTicks(target.wrapperPid)) !== null ? [target.wrapperPid] : [];
  return {
    startMark: startTicks,
    members,
    leftovers: members,
    signal: async (_target, pids) => {
      await Promise.all(pids.map((pid) => run('taskkill', ['/PID', String(pid), '/T', '/F']).catch(() => undefined)));
    },
  };
}
