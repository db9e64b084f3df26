import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../repository/paths.mjs';
import { restClient } from './rest.mjs';

const onlineWithinMs = 30_000;
/** Longer than 64 agents that take turns are expected to need on a machine that is busy. */
const measuredWithinMs = 600_000;
const exampleUrl = 'http://127.0.0.1:8080';
const exampleFolder = join(root, 'examples');

/** A REST client as administrator with the token of this start; null when no administrator of this database can sign in. */
export async function signIn({ home, url, token }) {
  const client = restClient(url, token);
  if (!(await client.isAccepted())) return null;
  await endLastingTokens(home, client);
  return client;
}

/** Earlier versions kept a token that never expired in the home. */
async function endLastingTokens(home, client) {
  if (home.facts.read().apiToken === undefined) return;
  for (const { id } of await lastingTokens(client)) await client.delete(`/tokens/${id}`);
  home.facts.write({ apiToken: undefined });
}

/** On whatever page they are. */
async function lastingTokens(client) {
  const lasting = [];
  for (let cursor = ''; cursor !== null; ) {
    const { items, nextCursor } = await client.get(`/tokens?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    lasting.push(...items.filter(({ name, expiresAt, revokedAt }) => name === 'npm start' && expiresAt === null && revokedAt === null));
    cursor = nextCursor;
  }
  return lasting;
}

/** Name and password of the administrator, as long as they have not been shown. */
export function readBootstrap(home) {
  return existsSync(home.bootstrap) ? JSON.parse(readFileSync(home.bootstrap, 'utf8')) : null;
}

/** After the password was shown it is nowhere in clear text. */
export function forgetBootstrap(home) {
  rmSync(home.bootstrap, { force: true });
}

/**
 * Applies each workflow file of examples/ once. Those with Python tasks are left for a later start as long as there is no python3.
 * Returns the names of the files left out.
 */
export async function applyExamples({ home, client, url, hasPython }) {
  const { examples = {} } = home.facts.read();
  const leftOut = [];
  for (const file of exampleFiles()) {
    if (examples[file] !== undefined) continue;
    const text = readFileSync(join(exampleFolder, file), 'utf8').replaceAll(exampleUrl, url);
    if (!hasPython && /^ +python: /m.test(text)) {
      leftOut.push(file);
      continue;
    }
    const { workflowId } = await client.apply(text);
    examples[file] = { workflowId, started: /^schedules:/m.test(text) };
    home.facts.write({ examples });
  }
  return leftOut;
}

/** Starts, once, each applied example that no schedule starts, so that there is something to look at. */
export async function startExamples({ home, client }) {
  const { examples = {} } = home.facts.read();
  for (const example of Object.values(examples)) {
    if (example.started) continue;
    await client.post(`/workflows/${example.workflowId}/runs`);
    example.started = true;
    home.facts.write({ examples });
  }
}

function exampleFiles() {
  if (!existsSync(exampleFolder)) return [];
  return readdirSync(exampleFolder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
}

/** Waits until the nodes of these agents are online with a heartbeat of this start; says which are not when the patience is over. */
export async function untilOnline(client, agents, sinceMs) {
  const isOnline = ({ state, lastHeartbeatAt }) => state === 'online' && Date.parse(lastHeartbeatAt) >= sinceMs;
  const missing = await untilNodes(client, agents, isOnline, onlineWithinMs);
  if (missing.length > 0) console.log(`medley: not ready yet: ${missing.join(', ')}; their logs tell why`);
}

/**
 * Waits until the nodes of these agents were measured since; they take turns, so it takes a few seconds each. Resolves with name and measured
 * performance of each, null for one that was not measured in time.
 */
export async function untilMeasured(client, agents, sinceMs, signal) {
  const performances = new Map(agents.map(({ name }) => [name, null]));
  const isMeasured = ({ name, performance }) => {
    if (!(Date.parse(performance.measuredAt) >= sinceMs)) return false;
    performances.set(name, performance.measured.allCores);
    return true;
  };
  await untilNodes(client, agents, isMeasured, measuredWithinMs, signal);
  return [...performances].map(([name, performance]) => ({ name, performance }));
}

/** Names of the agents whose node does not fulfil the condition when the patience is over, or the wait is given up. */
async function untilNodes(client, agents, condition, patienceMs, signal) {
  const deadline = performance.now() + patienceMs;
  const missing = new Set(agents.map(({ name }) => name));
  while (missing.size > 0 && performance.now() < deadline && !signal?.aborted) {
    const { items } = await client.get('/nodes?limit=100');
    for (const node of items) if (missing.has(node.name) && condition(node)) missing.delete(node.name);
    if (missing.size > 0) await delay(100);
  }
  return [...missing];
}
