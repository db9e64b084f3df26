import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { root } from './repository/paths.mjs';
import { main, runNode } from './repository/run.mjs';

await main(async () => {
  await install();
  await build();
  return runNode(['--enable-source-maps', join(root, 'bench/dist/replay/main.js'), ...process.argv.slice(2)]);
});
