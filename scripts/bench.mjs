import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { root } from './repository/paths.mjs';
import { main, runNode, StepFailed } from './repository/run.mjs';

const folder = join(root, 'bench/dist');

function entryOf(name) {
  return join(folder, name, 'main.js');
}

await main(async () => {
  await install();
  await build();
  const [name, ...args] = process.argv.slice(2);
  const names = readdirSync(folder).filter((each) => existsSync(entryOf(each)));
  if (name === undefined || !names.includes(name)) throw new StepFailed(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`);
  return runNode(['--enable-source-maps', entryOf(name), ...args]);
});
