import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentBundle, bundleAgent } from './build/agent-bundle.mjs';
import { compileProgress } from './build/compile-progress.mjs';
import { install } from './install.mjs';
import { fingerprint, isStamped, stamp } from './repository/fingerprint.mjs';
import { root, tool } from './repository/paths.mjs';
import { main, runNode, StepFailed } from './repository/run.mjs';

/** Compiles every TypeScript project, packs the agent and builds the console, each only when its sources changed. */
export async function build() {
  await compile();
  await packAgent();
  await buildConsole();
}

/** `tsc -b` decides by itself what is out of date, but believes its record even when someone removed what it had written. */
async function compile() {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const missing = references.filter(({ path }) => !existsSync(join(root, path, 'dist')));
  for (const { path } of missing) rmSync(join(root, path, 'tsconfig.tsbuildinfo'), { force: true });
  if (missing.length > 0) console.log('medley: compiling, which takes a minute or two the first time');
  const shown = compileProgress({ root, projects: references.length });
  const code = await runNode([tool('typescript/bin/tsc'), '-b', '--pretty', '--verbose'], { shown });
  if (code !== 0) throw new StepFailed('the TypeScript build failed; the lines above say where');
}

async function packAgent() {
  const folder = join(root, 'apps/agent');
  const stampFile = join(folder, 'dist', '.bundle-fingerprint');
  const libraries = ['libs/contracts/src', 'libs/core/src', 'scripts/build', 'pnpm-lock.yaml'].map((path) => join(root, path));
  const sources = fingerprint([join(folder, 'src'), ...libraries]);
  if (existsSync(agentBundle) && isStamped(stampFile, sources)) return;
  console.log('medley: packing the agent');
  await bundleAgent();
  stamp(stampFile, sources);
}

async function buildConsole() {
  const folder = join(root, 'apps/console');
  if (!existsSync(join(folder, 'index.html'))) return;
  const stampFile = join(folder, 'dist', '.fingerprint');
  const sources = fingerprint([folder, join(root, 'libs/contracts/src'), join(root, 'libs/core/src'), join(root, 'pnpm-lock.yaml')]);
  if (isStamped(stampFile, sources)) return;
  console.log('medley: building the console');
  const code = await runNode([tool('vite/bin/vite.js', 'apps/console'), 'build', '--logLevel=warn'], { cwd: folder });
  if (code !== 0) throw new StepFailed('the console build failed; the lines above say where');
  stamp(stampFile, sources);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await install();
    await build();
  });
}
