import { join } from 'node:path';
import type { Executor } from './executor.js';

/** `sh` on Unix, PowerShell on Windows. */
export const shellExecutor: Executor = (work, { directory, platform }) => {
  const name = platform === 'win32' ? 'script.ps1' : 'script.sh';
  const interpreter = platform === 'win32' ? ['powershell', '-NoProfile', '-ExecutionPolicy', 'Bypass', '-File'] : ['/bin/sh'];
  return { argv: [...interpreter, join(directory, name)], files: [{ name, content: work.script ?? '' }], stdin: null, environment: {} };
};
