/**
 * The program around the packed agent: it writes the files to a directory named by their checksum below ~/.medley/bundles, once, and starts
 * the agent from there. `--server`, `--token` and `--name` stand for the agent's settings of the environment; what is set there goes first.
 */
export function unpackingSource(packed) {
  return `${unpacking}\nconst packed = '${packed}';\nawait start(packed);\n`;
}

const unpacking = `// The Medley agent with everything it needs but Node 20.19 or newer. Start: node medley-agent.mjs --server URL [--token TOKEN] [--name NAME]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const settings = { '--server': 'MEDLEY_SERVER_URL', '--token': 'MEDLEY_JOIN_TOKEN', '--name': 'MEDLEY_AGENT_NAME' };

function readOptions(words) {
  for (let at = 0; at < words.length; at += 2) {
    const setting = settings[words[at]];
    if (setting === undefined || words[at + 1] === undefined) {
      console.error('Start the agent with: node medley-agent.mjs --server URL [--token TOKEN] [--name NAME]');
      process.exit(2);
    }
    process.env[setting] ??= words[at + 1];
  }
}

function unpack(packed) {
  const bundles = join(homedir(), '.medley', 'bundles');
  const directory = join(bundles, createHash('sha256').update(packed).digest('hex').slice(0, 16));
  if (existsSync(directory)) return directory;
  const fresh = directory + '.' + process.pid;
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  writeFileSync(join(fresh, 'package.json'), '{"type":"module"}');
  for (const [name, code] of Object.entries(JSON.parse(gunzipSync(Buffer.from(packed, 'base64'))))) writeFileSync(join(fresh, name), code);
  try {
    renameSync(fresh, directory);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(directory)) throw error;
  }
  return directory;
}

async function start(packed) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error('Node ' + process.versions.node + ' is too old: the agent needs 20.19 or newer');
    process.exit(2);
  }
  readOptions(process.argv.slice(2));
  await import(pathToFileURL(join(unpack(packed), 'main.js')).href);
}
`;
