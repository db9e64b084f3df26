import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot } from './programs.mjs';

const periodMicros = 100_000;

/**
 * A control group whose processes get at most `cores` of a core, of cgroup v1 or v2; null where that is not possible (not Linux, not root,
 * or control groups that are read-only, as in most containers).
 */
export function createCpuQuota({ group, name, cores }) {
  if (process.platform !== 'linux' || !isRoot()) return null;
  const quotaMicros = Math.round(cores * periodMicros);
  for (const create of [createV1, createV2]) {
    try {
      const groups = create(group, name, quotaMicros);
      if (groups !== null) return new CpuQuota(groups);
    } catch {
      // not writable or not allowed here; the caller falls back to a declared speed
    }
  }
  return null;
}

/** A group that limits CPU time; `entry` is the group that processes join, which in v2 is a leaf below it. */
class CpuQuota {
  #entry;

  constructor({ path, entry }) {
    this.path = path;
    this.#entry = entry;
  }

  /** The command line that enters the group before it becomes the program, so that all its children are inside from the start. */
  wrap(argv) {
    return ['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', this.#entry, ...argv];
  }
}

/** Process ids in a group and in the groups below it. */
export function processesInGroup(path) {
  if (!existsSync(path)) return [];
  const own = readFileSync(join(path, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  return [...own, ...groupsBelow(path).flatMap(processesInGroup)];
}

/** Removes a group and those below it; they must be empty. */
export function removeGroup(path) {
  if (!existsSync(path)) return;
  for (const below of groupsBelow(path)) removeGroup(below);
  rmdirSync(path);
}

function groupsBelow(path) {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(path, entry.name));
}

function createV1(group, name, quotaMicros) {
  const mount = findMount((type, options) => type === 'cgroup' && options.includes('cpu'));
  if (mount === null) return null;
  const path = join(
    ownGroup(mount, (controllers) => controllers.includes('cpu')),
    group,
    name,
  );
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'cpu.cfs_period_us'), String(periodMicros));
  writeFileSync(join(path, 'cpu.cfs_quota_us'), String(quotaMicros));
  return { path, entry: path };
}

/**
 * The group stands directly under the mount: below a group that holds processes no controller can be turned on. For the same reason the agent
 * starts in a leaf, whose name it knows as its own: its attempts' groups go beside it.
 */
function createV2(group, name, quotaMicros) {
  const mount = findMount((type) => type === 'cgroup2');
  if (mount === null || !readFileSync(join(mount, 'cgroup.controllers'), 'utf8').split(/\s/).includes('cpu')) return null;
  mkdirSync(join(mount, group), { recursive: true });
  for (const parent of [mount, join(mount, group)]) writeFileSync(join(parent, 'cgroup.subtree_control'), '+cpu');
  const path = join(mount, group, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'cpu.max'), `${quotaMicros} ${periodMicros}`);
  const entry = join(path, 'medley-agent');
  mkdirSync(entry, { recursive: true });
  return { path, entry };
}

function findMount(matches) {
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const [, path, type, options] = line.split(' ');
    if (path !== undefined && matches(type, options.split(','))) return path;
  }
  return null;
}

/** This process's own group, as far as it is visible at the mount; limits set on it from outside then hold for ours too. */
function ownGroup(mount, matches) {
  for (const line of readFileSync('/proc/self/cgroup', 'utf8').split('\n')) {
    const [, controllers, path] = line.split(':');
    if (path === undefined || !matches(controllers.split(','))) continue;
    const own = join(mount, path);
    return existsSync(own) ? own : mount;
  }
  return mount;
}
