import { createLinuxProcessTree } from './process-tree.linux.js';
import { createPosixProcessTree } from './process-tree.posix.js';
import { createWindowsProcessTree } from './process-tree.windows.js';

/** What is known of one attempt's processes: its wrapper, and the cgroups it was put into. */
export interface TreeTarget {
  attemptId: string;
  wrapperPid: number | null;
  cgroups: readonly string[];
}

/** How a platform finds and signals everything an attempt has started. */
export interface ProcessTree {
  /** A text that tells this process from a later one with the same pid; null when it is gone. */
  startMark(pid: number): Promise<string | null>;
  /** Pids of all living processes of the attempt, also those that left its session. */
  members(target: TreeTarget): Promise<number[]>;
  /** Like `members`, but may trust the cgroup alone: for the end of an attempt nobody had to stop. */
  leftovers(target: TreeTarget): Promise<number[]>;
  /** Sends the signal to every member; with SIGKILL nothing may fork away meanwhile, where the platform can prevent it. */
  signal(target: TreeTarget, pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export function createProcessTree(platform: NodeJS.Platform): ProcessTree {
  if (platform === 'linux') {
    return createLinuxProcessTree();
  }
  return platform === 'win32' ? createWindowsProcessTree() : createPosixProcessTree();
}

/** Sends a signal to each, and wakes for a TERM what is stopped: it could not act on it otherwise. */
export function sendSignals(pids: Iterable<number>, signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    sendSignal(pid, signal);
    if (signal === 'SIGTERM') {
      sendSignal(pid, 'SIGCONT');
    }
  }
}

/** A process that has just gone is no error; one of another user is not ours to signal, and stays a member of its tree until it goes. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') {
      throw error;
    }
  }
}
