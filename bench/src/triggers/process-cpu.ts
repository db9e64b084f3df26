import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc/<pid>/stat; fixed at 100 for user space on Linux. */
const TICKS_PER_SECOND = 100;

/** Fields of /proc/<pid>/stat: the parent, the ticks of the process itself, and those of the children it has buried. */
export interface ProcessStat {
  parentPid: number;
  ownTicks: number;
  buriedTicks: number;
}

/** Reads the line of /proc/<pid>/stat. The name in parentheses may hold anything, so fields are counted from its end. */
export function parseStat(line: string): ProcessStat {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return { parentPid: field(4), ownTicks: field(14) + field(15), buriedTicks: field(16) + field(17) };
}

/** CPU seconds a process has used, with all its descendants, the ended ones that were waited for included. */
export function cpuSecondsOfTree(pid: number): number {
  const all = readStats();
  const ticksOf = (each: number): number => {
    const stat = all.get(each);
    if (stat === undefined) return 0;
    const children = [...all].filter(([, other]) => other.parentPid === each).map(([child]) => child);
    return stat.ownTicks + stat.buriedTicks + children.reduce((sum, child) => sum + ticksOf(child), 0);
  };
  if (!all.has(pid)) throw new Error(`Process ${pid} is gone`);
  return ticksOf(pid) / TICKS_PER_SECOND;
}

function readStats(): Map<number, ProcessStat> {
  const stats = new Map<number, ProcessStat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      stats.set(Number(name), parseStat(readFileSync(`/proc/${name}/stat`, 'utf8')));
    } catch {
      // ended between the listing and here
    }
  }
  return stats;
}
