import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { openAttemptGroups, removeEmpty, sweepAttemptGroups } from './attempt-groups.js';
import { removeCgroups } from './cgroup-files.js';

const run = promisify(execFile);
const MIB = 1024 * 1024;

/** The attempt's groups: those it must join, all of which hold exactly its processes. */
export interface Cgroups {
  /** Creates the groups of an attempt; `memoryMib` 0 means no limit. Empty where the agent may not create groups. */
  create(attemptId: string, memoryMib: number): Promise<string[]>;
  /** Removes what this agent and gone ones left, but for the groups of living attempts. */
  release(): Promise<void>;
  /** What is used, for the log. */
  readonly kind: 'v1' | 'v2' | 'none';
}

const NO_CGROUPS: Cgroups = { kind: 'none', create: async () => [], release: async () => undefined };

/** Path of this process in a v1 controller's hierarchy, or in the v2 one for an empty name. */
export function ownCgroup(controller: string, text: string): string | null {
  for (const line of text.split('\n')) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path !== undefined && (controller === '' ? names === '' : names?.split(',').includes(controller))) {
      return path;
    }
  }
  return null;
}

/** Where a controller is mounted, from /proc/self/mounts. */
export function mountOf(controller: string, mounts: string): string | null {
  for (const line of mounts.split('\n')) {
    const [, path, type, options] = line.split(' ');
    if (controller === '' ? type === 'cgroup2' : type === 'cgroup' && options?.split(',').includes(controller)) {
      return path ?? null;
    }
  }
  return null;
}

/** The directory of this process's own group, or null. Falls back to the mount itself where a container shows only its own part. */
export function ownCgroupDirectory(controller: string): string | null {
  try {
    const mount = mountOf(controller, readFileSync('/proc/self/mounts', 'utf8'));
    const own = ownCgroup(controller, readFileSync('/proc/self/cgroup', 'utf8'));
    if (mount === null || own === null) {
      return null;
    }
    const directory = join(mount, own);
    try {
      readFileSync(join(directory, 'cgroup.procs'));
      return directory;
    } catch {
      return mount;
    }
  } catch {
    return null;
  }
}

/** Whether groups can be made below this one and a process of this user can enter them: tried with a real process. */
async function isUsable(parent: string): Promise<boolean> {
  const probe = join(parent, `medley-probe-${process.pid}`);
  try {
    await mkdir(probe);
    await run('/bin/sh', ['-c', 'echo $$ >"$0"', join(probe, 'cgroup.procs')]);
    return true;
  } catch {
    return false;
  } finally {
    await removeCgroups([probe]);
  }
}

async function prepareParent(directory: string | null): Promise<string | null> {
  if (directory === null) {
    return null;
  }
  try {
    await sweepAttemptGroups(directory);
    const parent = await openAttemptGroups(directory);
    return (await isUsable(parent)) ? parent : null;
  } catch {
    return null;
  }
}

/** `parent` is where a process makes its groups; the group above all such parents is two levels up. */
async function releaseParent(parent: string | null): Promise<void> {
  if (parent === null) {
    return;
  }
  await removeEmpty(parent);
  await sweepAttemptGroups(dirname(dirname(parent)));
}

function v1(freezer: string, memory: string | null): Cgroups {
  return {
    kind: 'v1',
    create: async (attemptId, memoryMib) => {
      const groups = [join(freezer, attemptId)];
      await mkdir(groups[0]!, { recursive: true });
      if (memory !== null && memoryMib > 0) {
        const group = join(memory, attemptId);
        await mkdir(group, { recursive: true });
        await writeFile(join(group, 'memory.limit_in_bytes'), String(memoryMib * MIB));
        groups.push(group);
      }
      return groups;
    },
    release: async () => {
      await Promise.all([freezer, memory].map(releaseParent));
    },
  };
}

function v2(parent: string, limitsMemory: boolean): Cgroups {
  return {
    kind: 'v2',
    create: async (attemptId, memoryMib) => {
      const group = join(parent, attemptId);
      await mkdir(group, { recursive: true });
      if (limitsMemory && memoryMib > 0) {
        await writeFile(join(group, 'memory.max'), String(memoryMib * MIB));
      }
      return [group];
    },
    release: () => releaseParent(parent),
  };
}

/**
 * v2 gives controllers only to groups without processes of their own: the agent moves itself into a leaf beside the attempts, then
 * hands the memory controller down. Where that is refused (other processes in its group), membership works all the same, without limits.
 */
async function delegateMemory(own: string, parent: string): Promise<boolean> {
  try {
    const leaf = join(own, 'medley-agent');
    await mkdir(leaf, { recursive: true });
    await writeFile(join(leaf, 'cgroup.procs'), String(process.pid));
    for (const group of [own, dirname(parent), parent]) {
      await writeFile(join(group, 'cgroup.subtree_control'), '+memory');
    }
    return (await readFile(join(parent, 'cgroup.subtree_control'), 'utf8')).includes('memory');
  } catch {
    return false;
  }
}

/**
 * Finds out what the agent may use. The cpu controller is never touched: attempts inherit the agent's own cpu group, so its quota holds for
 * agent and attempts together.
 */
export async function detectCgroups(platform: NodeJS.Platform): Promise<Cgroups> {
  if (platform !== 'linux') {
    return NO_CGROUPS;
  }
  const freezer = await prepareParent(ownCgroupDirectory('freezer'));
  if (freezer !== null) {
    return v1(freezer, await prepareParent(ownCgroupDirectory('memory')));
  }
  const own = ownCgroupDirectory('');
  const base = own?.endsWith('/medley-agent') ? own.slice(0, -'/medley-agent'.length) : own;
  const parent = await prepareParent(base);
  return parent === null || base === null ? NO_CGROUPS : v2(parent, await delegateMemory(base, parent));
}
