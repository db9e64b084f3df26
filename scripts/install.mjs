import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprint, isStamped, stamp } from './repository/fingerprint.mjs';
import { root } from './repository/paths.mjs';
import { main, run, StepFailed } from './repository/run.mjs';

const packageManager = 'pnpm@12.21.0';
const oldestNode = [20, 19];

/** Installs the packages of the lockfile, unless exactly these are installed already. */
export async function install() {
  requireNode();
  const stampFile = join(root, 'node_modules', '.medley-install');
  const wanted = fingerprint(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((name) => join(root, name)));
  if (isStamped(stampFile, wanted)) return;
  const first = !existsSync(join(root, 'node_modules'));
  console.log(`medley: installing packages${first ? ' (the first time takes a minute or two)' : ''}`);
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  const argv = [npx, '--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'];
  const code = await run(argv, {
    env: { ...process.env, CI: 'true' },
    shown: (line) => (/^\s*\[?WARN|postinstall/.test(line) ? null : line),
  });
  if (code !== 0)
    throw new StepFailed(`packages could not be installed (${packageManager} ended with code ${code}); the lines above say why`);
  stamp(stampFile, wanted);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new StepFailed(`Node ${process.versions.node} is too old: Medley needs ${oldestNode.join('.')} or newer`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(install);
