import { dirname, join } from 'node:path';
import { agentBundle } from '../build/agent-bundle.mjs';
import { root } from '../repository/paths.mjs';
import { StepFailed } from '../repository/run.mjs';
import { diesWithParent, startChild, untilReady } from '../services/child.mjs';
import { isPortFree, nextFreePort } from '../services/ports.mjs';

const usualPort = 8080;

/** The port to serve on: the asked one or none; otherwise the last one used, or the usual one, or the next that is free. */
export async function choosePort({ asked, last, host }) {
  if (asked !== null) {
    if (await isPortFree(asked, host)) return asked;
    throw new StepFailed(`port ${asked} on ${host} is taken by another program. Name another --port, or none to get the next free one.`);
  }
  const wanted = last ?? usualPort;
  const port = await nextFreePort(wanted, host);
  if (port === null) throw new StepFailed(`no free port from ${wanted} on; name one with --port`);
  if (port !== wanted) console.log(`medley: port ${wanted} is taken, using ${port}`);
  return port;
}

/** Address under which programs on this machine reach the server. */
export function localUrl(host, port) {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Starts the server's process. */
export function startServer({ host, port, instance, databaseUrl, redisUrl, secretKeys, startTokenHash, bootstrapFile, logFile }) {
  const { DATABASE_URL: _, REDIS_URL: __, ...environment } = process.env;
  return startChild({
    name: 'server',
    argv: diesWithParent('SIGTERM', [process.execPath, '--enable-source-maps', join(root, 'apps/server/dist/main.js')]),
    logFile,
    env: {
      MEDLEY_DATA_DIR: join(dirname(bootstrapFile), 'server'),
      ...(secretKeys === null ? {} : { MEDLEY_SECRET_KEYS: secretKeys }),
      ...environment,
      MEDLEY_DATABASE_URL: databaseUrl,
      ...(redisUrl === null ? {} : { MEDLEY_REDIS_URL: redisUrl }),
      MEDLEY_HOST: host,
      MEDLEY_PORT: String(port),
      MEDLEY_INSTANCE: instance,
      MEDLEY_START_TOKEN_SHA256: startTokenHash,
      MEDLEY_CONSOLE_DIR: join(root, 'apps/console/dist'),
      MEDLEY_AGENT_BUNDLE: agentBundle,
      MEDLEY_BOOTSTRAP_FILE: bootstrapFile,
    },
  });
}

/** Resolves once this very server is ready, migrations applied: another one may have taken the port meanwhile. Fails when it ends before. */
export async function untilServing(server, url, instance) {
  await untilReady(server, () => isReady(url, instance), { timeoutMs: 120_000, pollMs: 50 });
}

async function isReady(url, instance) {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return response.ok && (await response.json()).instance === instance;
  } catch {
    return false;
  }
}
