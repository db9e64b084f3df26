import { spawnSync } from 'node:child_process';
import { findProgram, isRoot } from './programs.mjs';

/** True when packages of the distribution can be installed here without asking anyone. */
export function canInstallPackages() {
  return process.platform === 'linux' && isRoot() && findProgram('apt-get') !== null;
}

/**
 * Returns the path of the first program found, installing `packages` with apt-get when none is there and that is possible.
 * Null when the program is missing and cannot be brought; the caller says what that means.
 */
export function ensureProgram({ programs, packages, purpose, log = console.log }) {
  const present = firstProgram(programs);
  if (present !== null || !canInstallPackages()) return present;
  log(`medley: installing ${packages.join(', ')} with apt-get (${purpose})`);
  installPackages(packages);
  return firstProgram(programs);
}

/** Installs packages; the package index is fetched first only when the installation fails without it. Returns whether it worked. */
export function installPackages(packages) {
  const install = () => aptGet(['install', '--yes', '--no-install-recommends', ...packages]);
  return install() || (aptGet(['update']) && install());
}

function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const result = spawnSync('apt-get', ['--quiet', '--quiet', '-o', 'Dpkg::Use-Pty=0', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  return result.status === 0;
}

function firstProgram(programs) {
  for (const program of programs) {
    const path = findProgram(program);
    if (path !== null) return path;
  }
  return null;
}
