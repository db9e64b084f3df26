import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../repository/paths.mjs';
import { StepFailed } from '../repository/run.mjs';
import { startPostgres } from '../services/postgres.mjs';

const READY = /measured performance: .*\n/;

/** `npm start` in a home of its own, on a Postgres whose address is known so that a past can be written into it. */
export async function startProduct() {
  const home = mkdtempSync(join(tmpdir(), 'medley-screenshots-'));
  const postgres = await startPostgres({ directory: join(home, 'postgres'), durable: false });
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs'), '--home', join(home, 'home')], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: postgres.url, MEDLEY_SECRET_KEYS: randomBytes(32).toString('base64') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGINT');
    await exited;
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  };
  let printed = '';
  const ready = new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (READY.test(printed)) resolve();
    });
  });
  await Promise.race([ready, exited]);
  const [, name, password] = /sign in +(\S+) \/ (\S+) /.exec(printed) ?? [];
  if (password === undefined) {
    await stop();
    throw new StepFailed(`npm start did not come up:\n${printed}`);
  }
  return { url: /console +(http:\S+)/.exec(printed)[1], name, password, databaseUrl: postgres.url, stop };
}
