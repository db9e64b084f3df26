import { join } from 'node:path';
import type { Executor } from './executor.js';

/** The agent's own Node. The empty package.json lets Node tell ESM from CommonJS by the script itself, whatever lies above the agent's home. */
export const nodeExecutor: Executor = (work, { directory }) => ({
  argv: [process.execPath, join(directory, 'script.js')],
  files: [
    { name: 'script.js', content: work.script ?? '' },
    { name: 'package.json', content: '{}' },
  ],
  stdin: null,
  environment: {},
});
