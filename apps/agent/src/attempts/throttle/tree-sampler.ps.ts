import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TreeTarget } from '../process-tree.js';
import type { MemberRow, TreeSample, TreeSampler } from './tree-sampler.js';

const run = promisify(execFile);

/** Milliseconds of a `ps` time: [days-][hours:]minutes:seconds[.hundredths]. */
export function parsePsTime(text: string): number {
  const [clock = '', days = '0'] = text.split('-').reverse();
  return 1000 * clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400_000;
}

/** Members of the trees in the output of `ps -axo pid=,ppid=,pgid=,stat=,time=`. */
export function parsePs(output: string, targets: readonly TreeTarget[]): MemberRow[] {
  const byGroup = new Map(targets.map(({ attemptId, wrapperPid }) => [wrapperPid, attemptId]));
  return output.split('\n').flatMap((line) => {
    const [pid = '', parentPid = '', group = '', state = '', time = ''] = line.trim().split(/\s+/);
    const attemptId = byGroup.get(Number(pid)) ?? byGroup.get(Number(group));
    if (attemptId === undefined || Number(pid) === process.pid) return [];
    const [isStopped, isZombie] = [state.startsWith('T'), state.startsWith('Z')];
    return [{ attemptId, pid: Number(pid), parentPid: Number(parentPid), cpuMs: parsePsTime(time), isStopped, isZombie }];
  });
}

/**
 * macOS and other Unixes without /proc: by `ps`, a program that has to be started for each look, so it is asked seldom and the trees are held and
 * let run in longer turns. What ended between two looks is not counted. Written for these platforms, not tested on them.
 */
export class PsTreeSampler implements TreeSampler {
  readonly leastPauseMs = 200;

  async sample(targets: readonly TreeTarget[]): Promise<TreeSample> {
    if (targets.length === 0) return { members: [], reapedMs: 0 };
    const { stdout } = await run('env', ['LC_ALL=C', 'ps', '-axo', 'pid=,ppid=,pgid=,stat=,time=']);
    return { members: parsePs(stdout, targets), reapedMs: 0 };
  }

  isStopped(): null {
    return null;
  }
}
