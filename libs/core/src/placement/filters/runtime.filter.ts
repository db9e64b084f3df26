import { phrase } from '../../phrases/index.js';
import type { NodeFilter } from './node-filter.js';

/** The platform's own shell (sh, PowerShell) starts the agent's wrapper, so a node without one cannot have joined. */
const runtimeOfEveryPlatform = 'shell';

/** Keeps nodes that have the interpreter the task is written for. */
export const runtimeFilter: NodeFilter = {
  name: 'runtime',
  duration: 'permanent',
  rejects: (node, { runtime }) => runtime !== null && runtime !== runtimeOfEveryPlatform && !node.snapshot.runtimes.includes(runtime),
  summary: ({ runtime }) => phrase('removed-no-runtime', { runtime: runtime ?? '' }),
  obstacle: (node, { runtime }) => ({
    code: 'no-runtime',
    runtime: runtime ?? '',
    platform: node.snapshot.platform,
    runtimes: node.snapshot.runtimes.join(', '),
  }),
  detail: (node, { runtime }) => `has no ${runtime} (${node.snapshot.platform}, with ${node.snapshot.runtimes.join(', ') || 'no runtime'})`,
};
