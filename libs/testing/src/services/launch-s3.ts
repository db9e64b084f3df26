import { createRequire } from 'node:module';
import * as services from '@medley/scripts/services';
import { temporaryDirectory } from './temporary-directory.js';

/** A server that speaks the S3 protocol over HTTP, in a process of its own, with one bucket. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Its objects stay; `start` brings it back on the same port. */
  kill9(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const program = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js');

/** Starts s3rver on a free port; it dies with this process. */
export async function startS3(bucket = 'medley'): Promise<S3Server> {
  const directory = temporaryDirectory('s3');
  const port = await services.freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const launch = async () => {
    // Its continuation tokens are DES-encrypted, which OpenSSL 3 has in the legacy provider only.
    const argv = [process.execPath, '--openssl-legacy-provider', program, '--directory', directory.path, '--address', '127.0.0.1'];
    argv.push('--port', String(port), '--silent', '--configure-bucket', bucket);
    const child = services.startChild({ name: 'S3', argv: services.diesWithParent('SIGTERM', argv) });
    await services.untilReady(child, () => answers(endpoint), { pollMs: 50 });
    return child;
  };
  let child = await launch();
  return {
    endpoint,
    bucket,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    kill9: async () => {
      await child.kill9();
    },
    start: async () => {
      child = await launch();
    },
    stop: async () => {
      await child.stop();
      directory.remove();
    },
  };
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    await (await fetch(endpoint, { signal: AbortSignal.timeout(1000) })).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
