import { readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../backoff.js';

/** Pids in the groups; a group that is gone has none. */
export async function cgroupPids(groups: readonly string[]): Promise<number[]> {
  const texts = await Promise.all(groups.map((group) => readFile(join(group, 'cgroup.procs'), 'utf8').catch(() => '')));
  return [...new Set(texts.flatMap((text) => text.split('\n').filter(Boolean).map(Number)))];
}

/** Stops or continues everything in the groups that can (v1 freezer, v2 cgroup.freeze), so that nothing forks while it is being killed. */
export async function setFrozen(groups: readonly string[], frozen: boolean): Promise<void> {
  for (const group of groups) {
    await writeFile(join(group, 'freezer.state'), frozen ? 'FROZEN' : 'THAWED', { flag: 'r+' }).catch(() => undefined);
    await writeFile(join(group, 'cgroup.freeze'), frozen ? '1' : '0', { flag: 'r+' }).catch(() => undefined);
  }
}

/** How many processes the kernel has killed in the groups because they reached their memory limit. */
export async function countMemoryKills(groups: readonly string[]): Promise<number> {
  const texts = await Promise.all(
    groups.flatMap((group) => ['memory.oom_control', 'memory.events'].map((file) => readFile(join(group, file), 'utf8').catch(() => ''))),
  );
  return texts.reduce((sum, text) => sum + Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0), 0);
}

/** Removes the groups of an attempt whose processes are gone; the kernel may hold one for a moment longer. */
export async function removeCgroups(groups: readonly string[]): Promise<void> {
  for (const group of groups) {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const failure = await rmdir(group).then(
        () => null,
        (error: NodeJS.ErrnoException) => error.code,
      );
      if (failure !== 'EBUSY') {
        break;
      }
      await pause(10 * 2 ** attempt);
    }
  }
}
