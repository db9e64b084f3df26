import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../clock.js';
import { attemptIdOf } from '../process-table.js';
import type { TreeTarget } from '../process-tree.js';
import type { MemberRow, TreeSample, TreeSampler } from './tree-sampler.js';

/** The unit of CPU times in /proc, on every Linux of today. */
const MS_PER_TICK = 10;
/** New processes are looked for this often; one that was none of ours is looked at again more rarely, since it may have just been starting. */
const DISCOVER_MS = 20;
const FORGET_STRANGERS_MS = 500;

export interface UsageStat {
  state: string;
  parentPid: number;
  sessionId: number;
  /** With the pid it names a process for good. */
  startTicks: string;
  cpuMs: number;
}

interface Owner {
  attemptId: string;
  startTicks: string;
}

/** CPU time of a process from its /proc stat, that of its waited-for children included. */
export function parseUsage(text: string): UsageStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  const [parentPid, sessionId] = [Number(fields[1]), Number(fields[3])];
  return { state: fields[0] ?? '', parentPid, sessionId, startTicks: fields[19] ?? '', cpuMs: ticks * MS_PER_TICK };
}

function readUsage(pid: number): UsageStat | null {
  try {
    return parseUsage(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return null;
  }
}

function readMarker(pid: number): string | null {
  try {
    return attemptIdOf(readFileSync(`/proc/${pid}/environ`));
  } catch {
    return null;
  }
}

/** Time of waited-for children alone. */
function readReapedMs(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

/**
 * Reads /proc often and therefore cheaply: the stat of processes it knows, and of others only what is new. Finds what a look at the whole tree
 * finds: cgroup ∪ session ∪ environment marker, and children of these.
 */
export class LinuxTreeSampler implements TreeSampler {
  readonly leastPauseMs = 0;
  private readonly owners = new Map<number, Owner>();
  private strangers = new Set<number>();
  private discoveredAtMs = Number.NEGATIVE_INFINITY;
  private forgotAtMs = Number.NEGATIVE_INFINITY;

  sample(targets: readonly TreeTarget[]): TreeSample {
    const wanted = new Set(targets.map(({ attemptId }) => attemptId));
    for (const [pid, owner] of this.owners) {
      if (!wanted.has(owner.attemptId)) this.owners.delete(pid);
    }
    if (targets.length > 0 && monotonicMs() - this.discoveredAtMs >= DISCOVER_MS) {
      this.discover(targets, wanted);
    }
    const members: MemberRow[] = [];
    for (const [pid, { attemptId, startTicks }] of this.owners) {
      const usage = readUsage(pid);
      if (usage === null || usage.startTicks !== startTicks) {
        this.owners.delete(pid);
        continue;
      }
      const { state, parentPid, cpuMs } = usage;
      members.push({ attemptId, pid, parentPid, cpuMs, isStopped: state === 'T', isZombie: state === 'Z' });
    }
    return { members, reapedMs: readReapedMs() };
  }

  isStopped(pid: number): boolean {
    const state = readUsage(pid)?.state;
    return state === undefined || state === 'T' || state === 't' || state === 'Z';
  }

  private discover(targets: readonly TreeTarget[], wanted: ReadonlySet<string>): void {
    const now = monotonicMs();
    this.discoveredAtMs = now;
    if (now - this.forgotAtMs >= FORGET_STRANGERS_MS) {
      this.forgotAtMs = now;
      this.strangers.clear();
    }
    const byPid = new Map<number, string>();
    for (const { attemptId, wrapperPid, cgroups } of targets) {
      for (const pid of [...(wrapperPid === null ? [] : [wrapperPid]), ...cgroups.flatMap(pidsIn)]) byPid.set(pid, attemptId);
    }
    const bySession = new Map(targets.map(({ attemptId, wrapperPid }) => [wrapperPid, attemptId]));
    const strangers = new Set<number>();
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!(pid > 0) || pid === process.pid || this.owners.has(pid)) continue;
      const usage = this.strangers.has(pid) && !byPid.has(pid) ? null : readUsage(pid);
      const attemptId = usage && (byPid.get(pid) ?? bySession.get(usage.sessionId) ?? this.ownerByKin(pid, usage.parentPid, wanted));
      if (usage === null || attemptId === null) strangers.add(pid);
      else this.owners.set(pid, { attemptId: attemptId!, startTicks: usage.startTicks });
    }
    this.strangers = strangers;
  }

  private ownerByKin(pid: number, parentPid: number, wanted: ReadonlySet<string>): string | null {
    const marker = this.owners.get(parentPid)?.attemptId ?? readMarker(pid);
    return marker !== null && wanted.has(marker) ? marker : null;
  }
}

function pidsIn(group: string): number[] {
  try {
    return readFileSync(join(group, 'cgroup.procs'), 'latin1').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
