import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { query } from '../databases/query.js';
import { findProcessesByMarker } from '../processes/find-processes.js';
import { waitFor } from '../waiting/wait-for.js';
import { startPostgres, startRedis } from './launch.js';
import { temporaryDirectory } from './temporary-directory.js';

const servicesModule = fileURLToPath(new URL('../../../../scripts/services/index.mjs', import.meta.url));

describe('launched services', () => {
  it('Postgres comes back on the same port with its committed rows after SIGKILL', async () => {
    const postgres = await startPostgres({ durable: true });
    await query(postgres.url, 'create table kept as select 7 as value');

    await postgres.kill9();
    await expect(query(postgres.url, 'select 1')).rejects.toThrow();
    await postgres.start();

    expect(await query(postgres.url, 'select value from kept')).toEqual([{ value: 7 }]);
    await postgres.stop();
  });

  it('Redis comes back on the same port after SIGKILL', async () => {
    const redis = await startRedis();
    const before = redis.pid;
    await redis.kill9();
    await redis.start();
    expect(redis.pid).not.toBe(before);
    await redis.stop();
    expect(findProcessesByMarker(redis.url)).toEqual([]);
  });

  it('leave no process when the process that launched them is killed', async () => {
    const directory = temporaryDirectory('orphans');
    const script = `
      const { startPostgres, startRedis } = await import(${JSON.stringify(servicesModule)});
      const directory = ${JSON.stringify(directory.path)};
      await startPostgres({ directory: directory + '/postgres', durable: false });
      await startRedis({ directory: directory + '/redis' });
      console.log('launched');
      setInterval(() => {}, 1000);`;
    const launcher = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([once(launcher.stdout, 'data'), once(launcher, 'exit')]);
    expect(findProcessesByMarker(directory.path).length).toBeGreaterThan(2);

    launcher.kill('SIGKILL');

    await waitFor(() => findProcessesByMarker(directory.path).length === 0, {
      timeoutMs: 15_000,
      describe: 'services to end with their launcher',
    });
    directory.remove();
  });

  it('Postgres says what helps where it is started as a user without a name and cannot give it one', async () => {
    const script = `await import(${JSON.stringify(servicesModule)}).then(({ startPostgres }) => startPostgres({ directory: '/nowhere' }))`;
    const program = [process.execPath, '--input-type=module', '--eval', script];
    const asNameless =
      process.getuid?.() === 0 ? ['setpriv', '--reuid=23456', '--clear-groups'] : ['unshare', '--user', '--map-user=23456'];
    // Without a PATH it finds no program that makes a namespace.
    const nameless = spawnSync(asNameless[0]!, [...asNameless.slice(1), 'env', 'PATH=/nowhere', ...program], {
      cwd: '/',
      encoding: 'utf8',
    });
    expect(nameless.status).toBe(1);
    expect(nameless.stderr).toMatch(/StepFailed.*: Postgres cannot run as user 23456, .*Set DATABASE_URL to .* or start as root/);
  });
});
