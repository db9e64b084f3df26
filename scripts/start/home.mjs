import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StepFailed } from '../repository/run.mjs';
import { isSameProcess, readProcess } from '../services/processes.mjs';

const rotateAboveBytes = 20 * 1024 * 1024;

/** Takes the home for this process, or says who has it. What belongs to one database is kept apart from what belongs to another. */
export function openHome({ home, databaseUrl, reset }) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const lock = join(home, 'start.lock');
  takeLock(lock);
  if (reset) removeData(home);
  const state = join(home, databaseUrl === null ? 'embedded' : `external-${hash(databaseUrl)}`);
  mkdirSync(join(home, 'logs'), { recursive: true });
  mkdirSync(join(state, 'agents'), { recursive: true, mode: 0o700 });
  return {
    path: home,
    id: hash(home),
    postgres: join(home, 'postgres'),
    redis: join(home, 'redis'),
    bootstrap: join(state, 'bootstrap.json'),
    facts: factsFile(join(state, 'start.json')),
    secretKeys: () => (databaseUrl === null ? readSecretKeys(join(state, 'secret-keys')) : null),
    agent: (name) => join(state, 'agents', name),
    log: (name) => logFile(join(home, 'logs', `${name}.log`)),
    release: () => rmSync(lock, { force: true }),
  };
}

/** What `npm start` remembers between starts: nothing that opens a door. */
function factsFile(path) {
  const read = () => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
  return {
    read,
    write: (changes) => {
      writeFileSync(`${path}.new`, JSON.stringify({ ...read(), ...changes }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

/** The keys that encrypt secrets, made at the first start. A database of others has servers of others, which have to share theirs. */
function readSecretKeys(path) {
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return readFileSync(path, 'utf8').trim();
}

function takeLock(path) {
  const own = JSON.stringify({ pid: process.pid, startTime: readProcess(process.pid)?.startTime ?? null });
  for (;;) {
    try {
      writeFileSync(path, own, { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readHolder(path);
    if (holder !== null && isAlive(holder)) {
      throw new StepFailed(
        `Medley already runs from ${dirname(path)} (process ${holder.pid}). Stop that one with Ctrl-C, or name another --home.`,
      );
    }
    rmSync(path, { force: true });
  }
}

function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function isAlive({ pid, startTime }) {
  if (startTime !== null) return isSameProcess(pid, startTime);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Other things may lie in the home, a cache of test:fresh among them. */
function removeData(home) {
  const ours = /^(postgres|redis|logs|embedded|external-[0-9a-f]+)$/;
  for (const name of readdirSync(home)) if (ours.test(name)) rmSync(join(home, name), { recursive: true, force: true });
}

/** The log grows over starts; one old part is kept. */
function logFile(path) {
  if (existsSync(path) && statSync(path).size > rotateAboveBytes) renameSync(path, `${path}.1`);
  return path;
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
