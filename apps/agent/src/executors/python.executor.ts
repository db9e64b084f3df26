import { join } from 'node:path';
import type { Executor } from './executor.js';

/** The machine's python3, unbuffered so that its output can be followed, in UTF-8 whatever the locale. */
export const pythonExecutor: Executor = (work, { directory, python }) => ({
  argv: [python ?? 'python3', join(directory, 'script.py')],
  files: [{ name: 'script.py', content: work.script ?? '' }],
  stdin: null,
  environment: { PYTHONUNBUFFERED: '1', PYTHONUTF8: '1' },
});
