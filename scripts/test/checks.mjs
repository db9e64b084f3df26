import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, tool } from '../repository/paths.mjs';
import { runNode } from '../repository/run.mjs';

/** Lint, format and the console's types. Returns a line per check that failed. */
export async function runChecks() {
  const faults = [];
  if ((await runNode([tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '--diagnostic-level=warn', '.'])) !== 0) {
    faults.push('failed: biome check');
  }
  if (existsSync(join(root, 'apps/console/tsconfig.json'))) {
    const vueTsc = tool('vue-tsc/bin/vue-tsc.js', 'apps/console');
    if ((await runNode([vueTsc, '--noEmit', '-p', 'apps/console'])) !== 0) faults.push('failed: types of the console (vue-tsc)');
  }
  return faults;
}
