import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sweepAttemptGroups } from './attempt-groups.mjs';
import { processesInGroup, removeGroup } from './cpu-quota.mjs';
import { listProcesses } from './processes.mjs';

/**
 * Ends what still runs for a home once its runner is gone: agents, and the attempts, which outlive agents by design. They are known by
 * their environment, by the session of such a process, and by the control groups made for the home.
 * TERM, a grace, then KILL until nothing is left. Returns how many there were.
 */
export async function endLeftovers({ home, groups = [], graceMs = 3_000 }) {
  const seen = new Set();
  const killAfter = performance.now() + graceMs;
  for (;;) {
    const found = findLeftovers(home, groups);
    if (found.length === 0) break;
    const signal = performance.now() < killAfter ? 'SIGTERM' : 'SIGKILL';
    for (const pid of found) {
      if (signal === 'SIGKILL' || !seen.has(pid)) kill(pid, signal);
      seen.add(pid);
    }
    await delay(50);
  }
  for (const group of [...groups, ...new Set(groups.map(dirname))]) tryRemove(group);
  await sweepAttemptGroups();
  return seen.size;
}

function findLeftovers(home, groups) {
  const processes = listProcesses();
  const marked = processes.filter((process) => belongsTo(process, home));
  const sessions = new Set(marked.map(({ session }) => session).filter((session) => marked.some(({ pid }) => pid === session)));
  const inSessions = processes.filter(({ session }) => sessions.has(session));
  const pids = new Set([...marked, ...inSessions].map(({ pid }) => pid).concat(groups.flatMap(processesInGroup)));
  pids.delete(process.pid);
  return [...pids];
}

/**
 * Agents and servers have a MEDLEY_ variable that points into the home; attempts have the home itself and a fence. MEDLEY_HOME alone does not
 * count: it is what a person exports in a shell, whose other programs are none of ours.
 */
function belongsTo({ environment }, home) {
  const pointsInside = (entry) => /^MEDLEY_[A-Z_]+=/.test(entry) && entry.slice(entry.indexOf('=') + 1).startsWith(`${home}/`);
  if (environment.some(pointsInside)) return true;
  return environment.includes(`MEDLEY_HOME=${home}`) && environment.some((entry) => entry.startsWith('MEDLEY_FENCE='));
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // ended by itself meanwhile
  }
}

function tryRemove(group) {
  try {
    removeGroup(group);
  } catch {
    // a group that is still busy is reused by the next start
  }
}
