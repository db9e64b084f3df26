import { readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isSameProcess } from './processes.mjs';

const triesWhileBusy = 20;

/**
 * Removes the control groups that agents which are gone made for their attempts. They stand below the group that agents share with whoever started
 * them, which is this process's own. The name of an agent's group is its pid and start time.
 */
export async function sweepAttemptGroups() {
  for (const folder of ownGroups().map((group) => join(group, 'medley-attempts'))) {
    for (const name of namesIn(folder)) {
      const [, pid, startTime] = /^(\d+)-(\d*)$/.exec(name) ?? [];
      if (pid === undefined || isSameProcess(Number(pid), Number(startTime))) continue;
      for (const attempt of namesIn(join(folder, name))) await removeGroup(join(folder, name, attempt));
      await removeGroup(join(folder, name));
    }
  }
}

/** This process's group in each hierarchy; where a container shows only its own part, the mount itself. */
function ownGroups() {
  try {
    const mounts = [...readFileSync('/proc/self/mounts', 'utf8').matchAll(/^\S+ (\S+) cgroup2? /gm)].map(([, mount]) => mount);
    const paths = [...readFileSync('/proc/self/cgroup', 'utf8').matchAll(/^\d+:[^:]*:(.*)$/gm)].map(([, path]) => path);
    return [...new Set(mounts.flatMap((mount) => ['/', ...paths].map((path) => join(mount, path))))];
  } catch {
    return [];
  }
}

function namesIn(path) {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** The kernel holds the group of a process for a moment after its end; one with a living process stays. */
async function removeGroup(path) {
  for (let tries = 0; tries < triesWhileBusy; tries += 1) {
    try {
      rmdirSync(path);
      return;
    } catch (error) {
      if (error.code !== 'EBUSY') return;
    }
    await delay(20);
  }
}
