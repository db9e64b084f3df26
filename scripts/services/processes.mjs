import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Every process of this machine that may be read: pid, parent, session, start time in clock ticks since boot (with the pid it names a
 * process for good), state letter, command line and environment. Zombies are left out. Empty where there is no /proc.
 */
export function listProcesses() {
  return processIds()
    .map(readProcess)
    .filter((process) => process !== null && process.state !== 'Z');
}

/** Facts of one process, or null when it is gone. */
export function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid,
      state: fields[0],
      parentPid: Number(fields[1]),
      session: Number(fields[3]),
      startTime: Number(fields[19]),
      command: readList(`/proc/${pid}/cmdline`),
      environment: readList(`/proc/${pid}/environ`),
    };
  } catch {
    return null;
  }
}

/** True when this process exists and is the one that started at that time. */
export function isSameProcess(pid, startTime) {
  const process = readProcess(pid);
  return process !== null && process.startTime === startTime && process.state !== 'Z';
}

function processIds() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function readList(path) {
  try {
    return readFileSync(path, 'utf8')
      .split('\0')
      .filter((part) => part !== '');
  } catch {
    return [];
  }
}

/** Working directory of a process, or null when it is gone or not ours to read. */
export function workingDirectory(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}
