import { cgroupPids, setFrozen } from './cgroup-files.js';
import { ProcessTable, readStat } from './process-table.js';
import { type ProcessTree, sendSignals, type TreeTarget } from './process-tree.js';

/**
 * Linux: cgroup ∪ session ∪ environment marker. A process that double-forks and calls setsid leaves the session but keeps its cgroup and its
 * environment; one that clears its environment keeps the cgroup.
 */
export function createLinuxProcessTree(): ProcessTree {
  const table = new ProcessTable();

  const fromCgroups = async (target: TreeTarget): Promise<number[]> =>
    (await cgroupPids(target.cgroups)).filter((pid) => readStat(pid) !== null);

  const members = async (target: TreeTarget): Promise<number[]> => {
    const [grouped, rows] = await Promise.all([fromCgroups(target), table.read()]);
    const found = new Set(grouped);
    for (const row of rows) {
      if (row.attemptId === target.attemptId || (target.wrapperPid !== null && row.sessionId === target.wrapperPid)) {
        found.add(row.pid);
      }
    }
    return [...found];
  };

  return {
    startMark: async (pid) => readStat(pid)?.startTicks ?? null,
    members,
    leftovers: (target) => (target.cgroups.length > 0 ? fromCgroups(target) : members(target)),
    signal: async (target, pids, signal) => {
      if (signal === 'SIGTERM') {
        sendSignals(pids, signal);
        return;
      }
      await setFrozen(target.cgroups, true);
      const all = new Set([...pids, ...(await cgroupPids(target.cgroups))]);
      sendSignals(all, signal);
      await setFrozen(target.cgroups, false);
    },
  };
}
