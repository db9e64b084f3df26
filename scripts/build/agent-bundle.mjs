import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root } from '../repository/paths.mjs';
import { unpackingSource } from './agent-unpacking.mjs';

const agent = join(root, 'apps/agent');
/** Programs that the agent starts as files of their own stand beside its main file under these names. */
const entries = {
  main: 'main.js',
  'node-wrapper': 'attempts/node-wrapper.js',
  'http-call': 'executors/http-call.js',
  'run-masked': 'executors/run-masked.js',
  'measure-cli': 'performance/measure-cli.js',
  'spin-worker': 'performance/spin-worker.js',
};

/** Where the bundle is after `bundleAgent`; servers hand it to machines that join (MEDLEY_AGENT_BUNDLE). */
export const agentBundle = join(agent, 'dist/bundle/medley-agent.mjs');

/** Packs the compiled agent and everything it imports into one file that needs nothing but Node. */
export async function bundleAgent() {
  const { rolldown } = await import(pathToFileURL(join(agent, 'node_modules/rolldown/dist/index.mjs')).href);
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(agent, 'dist', path)]));
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' });
  const { output } = await build.generate({ format: 'es', minify: true, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await build.close();
  const files = Object.fromEntries(output.map(({ fileName, code }) => [fileName, code]));
  const packed = gzipSync(JSON.stringify(files), { level: 9 }).toString('base64');
  mkdirSync(join(agent, 'dist/bundle'), { recursive: true });
  // Renamed into place: a server that starts meanwhile reads a whole file.
  writeFileSync(`${agentBundle}.new`, unpackingSource(packed));
  renameSync(`${agentBundle}.new`, agentBundle);
}
