import * as services from '@medley/scripts/services';
import { temporaryDirectory } from './temporary-directory.js';

export type { Child, Exit, Service } from '@medley/scripts/services';
export { freePort } from '@medley/scripts/services';

export interface PostgresLaunch {
  /** Keeps the data of an earlier launch; default is a fresh directory, removed by stop(). */
  directory?: string;
  port?: number;
  /** fsync and the other defaults of Postgres. Off for most tests; benches and crash tests of Postgres itself need it. */
  durable?: boolean;
  settings?: Readonly<Record<string, string>>;
}

export interface RedisLaunch {
  directory?: string;
  port?: number;
}

/** An embedded Postgres that dies with this process. `kill9()` and `start()` bring it back on the same port with its data. */
export async function startPostgres(launch: PostgresLaunch = {}): Promise<services.Service> {
  return withOwnDirectory('postgres', launch.directory, (directory) => services.startPostgres({ durable: false, ...launch, directory }));
}

/** A Redis without persistence that dies with this process. `kill9()` and `start()` bring it back, empty, on the same port. */
export async function startRedis(launch: RedisLaunch = {}): Promise<services.Service> {
  return withOwnDirectory('redis', launch.directory, (directory) => services.startRedis({ ...launch, directory }));
}

/** Whether this machine has a Redis to launch. */
export function hasRedis(): boolean {
  return services.findRedis() !== null;
}

async function withOwnDirectory(
  purpose: string,
  given: string | undefined,
  launch: (directory: string) => Promise<services.Service>,
): Promise<services.Service> {
  if (given !== undefined) return launch(given);
  const own = temporaryDirectory(purpose);
  const service = await launch(own.path);
  const stop = service.stop.bind(service);
  service.stop = async () => {
    const exit = await stop();
    own.remove();
    return exit;
  };
  return service;
}
