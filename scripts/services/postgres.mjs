import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { diesWithParent, startChild, untilReady } from './child.mjs';
import { freePort } from './ports.mjs';
import { choosePostgresUser, findPostgresBinaries } from './postgres-binaries.mjs';

const databaseName = 'medley';
const swiftSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts the embedded Postgres on 127.0.0.1 with its data under `directory`, created on first use with a generated password.
 * `durable: false` trades crash safety for speed and is for tests. Resolves when it accepts connections.
 */
export async function startPostgres({ directory, port, durable = true, settings = {}, logFile }) {
  const place = await preparePostgres(resolve(directory), durable);
  const all = { ...(durable ? {} : swiftSettings), ...settings };
  const child = await untilStarted(place, { port, settings: all, logFile });
  const chosenPort = child.port;
  const url = `postgres://medley:${place.password}@127.0.0.1:${chosenPort}/${databaseName}`;
  return new Postgres(child, { place, url, port: chosenPort, settings: all, logFile });
}

/** One running Postgres cluster. */
class Postgres {
  #child;
  #options;

  constructor(child, options) {
    this.#child = child;
    this.#options = options;
    this.url = options.url;
    this.port = options.port;
  }

  /** Process id of the postmaster. */
  get pid() {
    return this.#child.pid;
  }

  get child() {
    return this.#child;
  }

  /** Fast shutdown: open transactions are rolled back, committed ones are on disk. */
  stop() {
    return this.#child.stop({ signal: 'SIGINT', graceMs: 30_000 });
  }

  kill9() {
    return this.#child.kill9();
  }

  /** Starts it again on the same port and data after `stop` or `kill9`. */
  async start() {
    if (this.#child.isRunning) return;
    const { place, port, settings, logFile } = this.#options;
    this.#child = await untilStarted(place, { port, settings, logFile });
  }
}

async function preparePostgres(directory, durable) {
  const binaries = await findPostgresBinaries();
  const user = choosePostgresUser();
  const place = { binaries, user, data: join(directory, 'data'), passwordFile: join(directory, 'password') };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (user.kind === 'nobody') letThrough(dirname(directory));
  if (!existsSync(place.data)) await createCluster(place, directory, durable);
  return { ...place, password: readFileSync(place.passwordFile, 'utf8').trim() };
}

/** Another user has to pass the folder that holds the data's; it still cannot list it. */
function letThrough(folder) {
  const { mode } = statSync(folder);
  if ((mode & 0o001) === 0) chmodSync(folder, (mode & 0o7777) | 0o001);
}

/** initdb into a folder that gets its final name only when it is complete, so that an interrupted first start is simply repeated. */
async function createCluster(place, directory, durable) {
  const unfinished = join(directory, 'data.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(place.passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (place.user.kind === 'nobody') {
    for (const path of [directory, unfinished, place.passwordFile]) chownSync(path, place.user.uid, place.user.gid);
  }
  const shared = ['--username=medley', '--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = ['--auth=scram-sha-256', `--pwfile=${place.passwordFile}`];
  const sync = durable ? [] : ['--no-sync'];
  await runToEnd(place, 'initdb', [place.binaries.initdb, '-D', unfinished, ...shared, ...access, ...sync]);
  await runToEnd(
    place,
    'create database',
    [place.binaries.postgres, '--single', '-D', unfinished, 'postgres'],
    `CREATE DATABASE ${databaseName};\n`,
  );
  renameSync(unfinished, place.data);
}

async function runToEnd(place, name, argv, input) {
  const child = startChild({ name, argv: place.user.wrap(diesWithParent('SIGTERM', argv)), env: environment(), cwd: '/', input });
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`Postgres: ${name} failed (code ${code})${explainAccess(place, child.output)}\n${child.output}`);
}

/** Retries while backends of a killed postmaster still hold its shared memory, and takes another port when a chosen one was lost. */
async function untilStarted(place, { port, settings, logFile }) {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const chosenPort = port ?? (await freePort());
    const child = startPostmaster(place, chosenPort, settings, logFile);
    try {
      await untilReady(child, () => isReady(place.data, child.pid), { timeoutMs: 60_000 });
      child.port = chosenPort;
      return child;
    } catch (error) {
      const passing = /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(child.output);
      const lostPort = port === undefined && /could not bind/.test(child.output);
      if ((!passing && !lostPort) || performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}

function startPostmaster(place, port, settings, logFile) {
  const fixed = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), max_connections: '200', timezone: 'UTC' };
  const flags = Object.entries({ ...fixed, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const argv = [place.binaries.postgres, '-D', place.data, ...flags];
  return startChild({ name: 'Postgres', argv: place.user.wrap(diesWithParent('SIGINT', argv)), env: environment(), cwd: '/', logFile });
}

/** Postgres writes its state to line 8 of its pid file; this is what pg_ctl waits for too. */
function isReady(data, pid) {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function environment() {
  return { PATH: process.env.PATH, LANG: 'C', TZ: 'UTC' };
}

function explainAccess(place, output) {
  if (place.user.kind !== 'nobody' || !/permission denied/i.test(output)) return '';
  return ': Postgres runs as the user nobody here, who cannot reach these folders. Move the checkout and MEDLEY_HOME out of private folders, or set DATABASE_URL.';
}
