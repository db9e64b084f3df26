import type { AttemptWork } from '@medley/contracts';
import type { Executor } from './executor.js';
import { httpExecutor } from './http.executor.js';
import { nodeExecutor } from './node.executor.js';
import { pythonExecutor } from './python.executor.js';
import { shellExecutor } from './shell.executor.js';

/** Executors of the kinds that need a process; `noop` has none. */
export const executors: Record<Exclude<AttemptWork['kind'], 'noop'>, Executor> = {
  shell: shellExecutor,
  python: pythonExecutor,
  node: nodeExecutor,
  http: httpExecutor,
};
