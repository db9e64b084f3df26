import { fileURLToPath } from 'node:url';
import type { Executor } from './executor.js';

const HTTP_CALL = fileURLToPath(new URL('./http-call.js', import.meta.url));

/** The call runs in a process of its own, so that timeout and cancel reach it like any other; it comes by stdin, so that no secret touches the disk. */
export const httpExecutor: Executor = (work, { directory }) => ({
  argv: [process.execPath, HTTP_CALL, directory],
  files: [],
  stdin: JSON.stringify({ request: work.http, secrets: work.secrets ?? [] }),
  environment: {},
});
