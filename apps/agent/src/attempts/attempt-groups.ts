import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readStat } from './process-table.js';

/** Stands below an agent's own group and holds one group per agent process, which holds one group per attempt. */
export const GROUPS_FOLDER = 'medley-attempts';

/** Creates the group in which this process makes groups for its attempts; its name tells everybody whether its maker still lives. */
export async function openAttemptGroups(own: string, pid = process.pid): Promise<string> {
  const path = join(own, GROUPS_FOLDER, `${pid}-${readStat(pid)?.startTicks ?? ''}`);
  await mkdir(path, { recursive: true });
  return path;
}

/**
 * Removes what agents that are gone have left below this group, whoever's they were, as far as no process is inside: adopted attempts keep
 * the groups they are in. Nothing can get into an empty one any more, since only its maker starts attempts there.
 */
export async function sweepAttemptGroups(own: string): Promise<void> {
  const folder = join(own, GROUPS_FOLDER);
  for (const name of await namesIn(folder)) {
    const [, pid, startTicks] = /^(\d+)-(\d*)$/.exec(name) ?? [];
    if (pid !== undefined && readStat(Number(pid))?.startTicks !== startTicks) await removeEmpty(join(folder, name));
  }
}

/** Removes a process's group with the empty groups in it; the kernel refuses those that hold a process. */
export async function removeEmpty(path: string): Promise<void> {
  for (const name of await namesIn(path)) await rmdir(join(path, name)).catch(() => undefined);
  await rmdir(path).catch(() => undefined);
}

async function namesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}
