import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../repository/paths.mjs';
import { createToken, restClient } from './rest.mjs';

const measuredWithinMs = 30_000;
const exampleUrl = 'http://127.0.0.1:8080';
const exampleFolder = join(root, 'examples');

/**
 * A REST client as administrator: with the token of an earlier start, or with the password that the server wrote when it created the
 * administrator, or with the one from the environment. Null when there is none of them.
 */
export async function signIn({ home, url, adminPassword }) {
  const { apiToken } = home.facts.read();
  if (apiToken !== undefined) return restClient(url, apiToken);
  const bootstrap = readBootstrap(home);
  const password = bootstrap?.adminPassword ?? adminPassword;
  if (password === null) return null;
  const token = await createToken(url, bootstrap?.adminName ?? 'admin', password);
  home.facts.write({ apiToken: token });
  return restClient(url, token);
}

/** Name and password of the administrator, as long as they have not been shown. */
export function readBootstrap(home) {
  return existsSync(home.bootstrap) ? JSON.parse(readFileSync(home.bootstrap, 'utf8')) : null;
}

/** After the password was shown it is nowhere in clear text. */
export function forgetBootstrap(home) {
  rmSync(home.bootstrap, { force: true });
}

/** Applies every workflow file of examples/ once and starts those that no schedule starts, so that there is something to look at. */
export async function loadExamples({ home, client, url }) {
  if (home.facts.read().examplesLoaded || !existsSync(exampleFolder)) return 0;
  const files = readdirSync(exampleFolder).filter((name) => name.endsWith('.yaml'));
  for (const file of files.sort()) {
    const text = readFileSync(join(exampleFolder, file), 'utf8').replaceAll(exampleUrl, url);
    const { workflowId } = await client.apply(text);
    if (!/^schedules:/m.test(text)) await client.post(`/workflows/${workflowId}/runs`);
  }
  home.facts.write({ examplesLoaded: true });
  return files.length;
}

/** Waits until the nodes of these agents are online and were measured since; says which are not when the patience is over. */
export async function untilMeasured(client, agents, sinceMs) {
  const deadline = performance.now() + measuredWithinMs;
  const missing = new Set(agents.map(({ name }) => name));
  while (missing.size > 0 && performance.now() < deadline) {
    const { items } = await client.get('/nodes?limit=100');
    for (const node of items) if (node.state === 'online' && Date.parse(node.performance.measuredAt) >= sinceMs) missing.delete(node.name);
    await delay(100);
  }
  if (missing.size > 0) console.log(`medley: not ready yet: ${[...missing].join(', ')}; their logs tell why`);
}
