import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isSameProcess, readProcess } from '../services/processes.mjs';
import { findProgram } from '../services/programs.mjs';

const guardScript = fileURLToPath(new URL('../services/guard.mjs', import.meta.url));

/**
 * Starts the guard, a detached process that ends what is left of this home when this process is gone, even by kill -9. Attempts outlive their
 * agents by design, so the death of the agents alone does not end them.
 */
export async function startGuard({ home, groups }) {
  await untilEarlierGuardIsDone(home);
  const guard = spawn(process.execPath, [guardScript, JSON.stringify({ home, groups })], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  guard.stdin.on('error', () => undefined);
  writeFileSync(guardFile(home), JSON.stringify({ pid: guard.pid, startTime: readProcess(guard.pid)?.startTime ?? null }), { mode: 0o600 });
  let answer = '';
  guard.stdout.on('data', (data) => {
    answer += data;
  });
  const tied = process.platform === 'linux' && findProgram('setpriv') !== null;
  return {
    /** Tells the guard of a child that would not notice the death of this process by itself. */
    watch: ({ pid }) => {
      if (!tied) guard.stdin.write(`${pid}\n`);
    },
    /** Lets the guard end what is left now; resolves with the number of processes there were. */
    finish: async () => {
      guard.stdin.end();
      await once(guard, 'close');
      rmSync(guardFile(home), { force: true });
      return Number(answer);
    },
  };
}

/** The guard of a runner that was killed a moment ago may still be ending things of this home, and must not find new ones. */
async function untilEarlierGuardIsDone(home) {
  if (!existsSync(guardFile(home))) return;
  const { pid, startTime } = JSON.parse(readFileSync(guardFile(home), 'utf8'));
  while (startTime !== null && isSameProcess(pid, startTime)) await delay(50);
}

function guardFile(home) {
  return join(home, 'guard.json');
}
