import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface ProcessRow {
  pid: number;
  sessionId: number;
  /** `MEDLEY_ATTEMPT_ID` of its environment; null for processes that are none of ours. */
  attemptId: string | null;
}

export interface ProcessStat {
  state: string;
  sessionId: number;
  startTicks: string;
}

const MARKER = Buffer.from('MEDLEY_ATTEMPT_ID=');
const PROCESSES_PER_TURN = 100;

/** Fields of /proc/<pid>/stat; the command in parentheses may hold anything, so fields count from the last one. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', sessionId: Number(fields[3]), startTicks: fields[19] ?? '' };
}

/** The stat of a living process; null when it is gone or a zombie. */
export function readStat(pid: number): ProcessStat | null {
  try {
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    return stat.state === 'Z' || stat.state === 'X' ? null : stat;
  } catch {
    return null;
  }
}

/** Value of the attempt marker in a NUL-separated environment block. */
export function attemptIdOf(environment: Buffer): string | null {
  for (let from = 0; ; ) {
    const at = environment.indexOf(MARKER, from);
    if (at < 0) {
      return null;
    }
    if (at === 0 || environment[at - 1] === 0) {
      const end = environment.indexOf(0, at);
      return environment.toString('latin1', at + MARKER.length, end < 0 ? undefined : end);
    }
    from = at + 1;
  }
}

function readRow(pid: number): ProcessRow | null {
  const stat = readStat(pid);
  if (stat === null) {
    return null;
  }
  try {
    return { pid, sessionId: stat.sessionId, attemptId: attemptIdOf(readFileSync(`/proc/${pid}/environ`)) };
  } catch {
    return { pid, sessionId: stat.sessionId, attemptId: null };
  }
}

async function scan(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = [];
  const pids = readdirSync('/proc').filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57);
  for (const [index, name] of pids.entries()) {
    if (index % PROCESSES_PER_TURN === PROCESSES_PER_TURN - 1) {
      await nextTurn();
    }
    const row = readRow(Number(name));
    if (row !== null) {
      rows.push(row);
    }
  }
  return rows;
}

/**
 * The machine's living processes, from /proc. Many callers share one scan: each gets one that started after its call, so it never misses a
 * process that existed when it asked.
 */
export class ProcessTable {
  private running: Promise<ProcessRow[]> | null = null;
  private waiting: Promise<ProcessRow[]> | null = null;

  read(): Promise<ProcessRow[]> {
    this.waiting ??= this.scanAfter(this.running);
    return this.waiting;
  }

  private async scanAfter(previous: Promise<ProcessRow[]> | null): Promise<ProcessRow[]> {
    await previous;
    await nextTurn();
    this.running = this.waiting;
    this.waiting = null;
    return scan();
  }
}
