import type { TreeTarget } from '../process-tree.js';
import { LinuxTreeSampler } from './tree-sampler.linux.js';
import { PsTreeSampler } from './tree-sampler.ps.js';

/** A process of a tree that is throttled. */
export interface MemberRow {
  attemptId: string;
  pid: number;
  parentPid: number;
  /** CPU time of the process and of the children it has waited for. */
  cpuMs: number;
  isStopped: boolean;
  isZombie: boolean;
}

export interface TreeSample {
  members: MemberRow[];
  /** CPU time of processes that this agent has waited for, with what those had waited for. */
  reapedMs: number;
}

/** How a platform tells what the trees use. */
export interface TreeSampler {
  /** A look costs something: not more often than this. */
  readonly leastPauseMs: number;
  sample(targets: readonly TreeTarget[]): TreeSample | Promise<TreeSample>;
  /** Whether the process is stopped this moment; null where only `sample` tells. */
  isStopped(pid: number): boolean | null;
}

/** Null where a process cannot be held: Windows. */
export function createTreeSampler(platform: NodeJS.Platform): TreeSampler | null {
  if (platform === 'win32') {
    return null;
  }
  return platform === 'linux' ? new LinuxTreeSampler() : new PsTreeSampler();
}
