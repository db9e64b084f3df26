import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, freePort, untilReady } from '@medley/scripts/services';
import { temporaryDirectory } from '../services/temporary-directory.js';
import { builtEntry, Program, startNode } from './program.js';

export interface ServerLaunch {
  databaseUrl: string;
  redisUrl?: string;
  /** The same port lets a restarted server take the place of a killed one; default is a free one. */
  port?: number;
  env?: NodeJS.ProcessEnv;
  readyTimeoutMs?: number;
}

/** What the server that created the administrator wrote down, once. */
export interface Bootstrap {
  adminName: string;
  adminPassword: string;
  joinToken: string;
}

/** A running server. */
export class ServerProgram extends Program {
  constructor(
    child: Child,
    readonly url: string,
    readonly port: number,
    /** Null when the administrator was there before this server started. */
    readonly bootstrap: Bootstrap | null,
  ) {
    super(child);
  }
}

/** Starts a built server and resolves once /readyz says yes. */
export async function startServer(launch: ServerLaunch): Promise<ServerProgram> {
  const port = launch.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const directory = temporaryDirectory('server');
  const bootstrapFile = join(directory.path, 'bootstrap.json');
  const child = startNode('server', builtEntry('server'), {
    MEDLEY_DATABASE_URL: launch.databaseUrl,
    ...(launch.redisUrl === undefined ? {} : { MEDLEY_REDIS_URL: launch.redisUrl }),
    MEDLEY_HOST: '127.0.0.1',
    MEDLEY_PORT: String(port),
    MEDLEY_BOOTSTRAP_FILE: bootstrapFile,
    MEDLEY_DATA_DIR: join(tmpdir(), 'medley-test-blobs'), // one for all servers, as several servers need
    ...launch.env,
  });
  try {
    await untilReady(child, () => answers(`${url}/readyz`), { timeoutMs: launch.readyTimeoutMs ?? 60_000, pollMs: 50 });
    return new ServerProgram(child, url, port, readBootstrap(bootstrapFile));
  } finally {
    directory.remove();
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function readBootstrap(path: string): Bootstrap | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Bootstrap;
  } catch {
    return null;
  }
}
