import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../services/programs.mjs';

const guardScript = fileURLToPath(new URL('../services/guard.mjs', import.meta.url));

/**
 * Starts the guard, a detached process that ends what is left of this home when this process is gone, even by kill -9. Attempts outlive their
 * agents by design, so the death of the agents alone does not end them.
 */
export function startGuard({ home, groups }) {
  const guard = spawn(process.execPath, [guardScript, JSON.stringify({ home, groups })], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  guard.stdin.on('error', () => undefined);
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
      await once(guard, 'exit');
      return Number(answer);
    },
  };
}
