import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { AppError } from '@medley/core';
import type { ProcessTree } from '../attempts/process-tree.js';

/**
 * One agent per home: two would adopt each other's attempts. The file holds pid and start mark, so that a killed agent's lock is known to be
 * stale even when its pid has been reused.
 */
export async function lockHome(path: string, processes: ProcessTree): Promise<() => void> {
  const holder = readHolder(path);
  if (holder !== null && holder.pid !== process.pid && (await processes.startMark(holder.pid)) === holder.startMark) {
    throw new AppError(
      'unavailable',
      `Another agent (pid ${holder.pid}) uses this home. Stop it, or set MEDLEY_AGENT_HOME to another directory.`,
    );
  }
  const startMark = await processes.startMark(process.pid);
  writeFileSync(path, `${process.pid} ${startMark ?? ''}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

function readHolder(path: string): { pid: number; startMark: string } | null {
  try {
    const [pid, ...mark] = readFileSync(path, 'utf8').trim().split(' ');
    return { pid: Number(pid), startMark: mark.join(' ') };
  } catch {
    return null;
  }
}
