import { listProcesses, type ProcessFacts, readProcess, workingDirectory } from '@medley/scripts/services';
import { waitFor } from '../waiting/wait-for.js';

export type { ProcessFacts } from '@medley/scripts/services';
export { isSameProcess, readProcess } from '@medley/scripts/services';

/** Live processes whose command line, environment or working directory holds the marker, this process and its parents apart. */
export function findProcessesByMarker(marker: string): ProcessFacts[] {
  const spared = ownLine();
  return listProcesses().filter((process) => !spared.has(process.pid) && carries(process, marker));
}

/** Kills what carries the marker, again and again until nothing does: a killed shell may just have started another child. */
export async function endProcessesByMarker(marker: string): Promise<number> {
  const ended = new Set<number>();
  await waitFor(
    () => {
      const found = findProcessesByMarker(marker);
      for (const { pid } of found) {
        ended.add(pid);
        kill(pid);
      }
      return found.length === 0;
    },
    { timeoutMs: 10_000, describe: () => `processes with ${marker} to end; left: ${describeProcesses(findProcessesByMarker(marker))}` },
  );
  return ended.size;
}

/** One line per process, for messages of failed tests. */
export function describeProcesses(processes: readonly ProcessFacts[]): string {
  return processes.map(({ pid, state, command }) => `${pid} [${state}] ${command.join(' ')}`).join('\n');
}

function carries(process: ProcessFacts, marker: string): boolean {
  const holds = (part: string) => part.includes(marker);
  return process.command.some(holds) || process.environment.some(holds) || (workingDirectory(process.pid)?.includes(marker) ?? false);
}

function ownLine(): Set<number> {
  const line = new Set<number>();
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = readProcess(pid)?.parentPid ?? 0) line.add(pid);
  return line;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ended by itself between the scan and here
  }
}
