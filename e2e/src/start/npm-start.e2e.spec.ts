import { chownSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { NodeListItem, PlacementListItem, RunListItem, WorkflowListItem } from '@medley/contracts';
import {
  describeProcesses,
  endProcessesByMarker,
  findProcessesByMarker,
  freePort,
  query,
  type RestClient,
  signIn,
  startPostgres,
  startRedis,
  type TemporaryDirectory,
  temporaryDirectory,
  waitFor,
} from '@medley/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type How, Started } from './started.js';

interface Page<T> {
  items: T[];
}

/** `nobody` where the tests run as root, else null, the tests' own user. */
const plainUser = process.getuid?.() === 0 ? 65_534 : null;
const homes: TemporaryDirectory[] = [];
const running: Started[] = [];

function freshHome(): string {
  const home = temporaryDirectory('home');
  homes.push(home);
  return home.path;
}

function start(home: string, args: string[] = [], how: How = {}): Started {
  const started = new Started(['--home', home, ...args], how);
  running.push(started);
  return started;
}

async function admin(url: string, started: Started): Promise<RestClient> {
  const { name, password } = started.credentials!;
  return signIn(url, name, password);
}

function leftOf(home: string): string {
  return describeProcesses(findProcessesByMarker(home));
}

/** Performances that placement goes by, from the strongest node to the weakest; 0 for one that was never measured. */
async function strengths(client: RestClient): Promise<number[]> {
  const { items } = await client.get<Page<NodeListItem>>('/nodes?limit=100');
  const byName = new Map(items.map(({ name, performance }) => [name, performance.effective]));
  return ['strong', 'middle', 'weak'].map((name) => byName.get(name) ?? 0);
}

/** Pids of the agents of this home. */
function agentPids(home: string): number[] {
  const isAgent = ({ command }: { command: readonly string[] }) => command.some((part) => part.endsWith('apps/agent/dist/main.js'));
  return findProcessesByMarker(home)
    .filter(isAgent)
    .map(({ pid }) => pid);
}

/** Directories of the control groups that these agents made for their attempts, and of what is in them. */
function groupsOf(pids: readonly number[]): string[] {
  const mounts = [...readFileSync('/proc/mounts', 'utf8').matchAll(/^\S+ (\S+) cgroup2? /gm)].map(([, mount]) => mount!);
  const ofThese = new RegExp(`/medley-attempts/(${pids.join('|')})-`);
  return mounts.flatMap((mount) => readdirSync(mount, { recursive: true, encoding: 'utf8' })).filter((path) => ofThese.test(`/${path}`));
}

/** A PATH with every program of this one but Python and what could install it. */
function pathWithoutPython(): string {
  const folder = temporaryDirectory('path');
  homes.push(folder);
  for (const from of (process.env.PATH ?? '').split(':').filter((each) => existsSync(each))) {
    for (const name of readdirSync(from).filter((each) => !/^(python|pypy|pyenv|apt)/.test(each))) {
      if (!existsSync(join(folder.path, name))) symlinkSync(join(from, name), join(folder.path, name));
    }
  }
  return folder.path;
}

afterEach(async () => {
  for (const started of running.splice(0)) await started.end('SIGKILL');
  for (const home of homes.splice(0)) {
    await endProcessesByMarker(home.path);
    home.remove();
  }
});

describe('npm start', () => {
  it('runs the examples on three nodes, stops without a trace on Ctrl-C, and goes on with its data', async () => {
    const home = freshHome();
    const first = start(home);
    const url = await first.untilRunning();
    const client = await admin(url, first);

    const nodes = await client.get<Page<NodeListItem>>('/nodes?limit=100');
    expect(nodes.items.map(({ name, state }) => `${name} ${state}`).toSorted()).toEqual(['middle online', 'strong online', 'weak online']);
    const finished = await waitFor(
      async () => {
        const { items } = await client.get<Page<RunListItem>>('/runs?limit=100');
        const ended = items.filter(({ state }) => ['succeeded', 'failed', 'cancelled'].includes(state));
        return new Set(ended.map(({ workflow }) => workflow)).size >= 4 && ended;
      },
      { timeoutMs: 150_000, pollMs: 250, describe: 'a run of each of the four examples to end' },
    );
    expect(finished.filter(({ state }) => state !== 'succeeded')).toEqual([]);
    // The examples ask for little enough to spread, so that placement is seen.
    const placements = await client.get<Page<PlacementListItem>>('/placements?limit=100');
    expect(new Set(placements.items.map(({ node }) => node)).size).toBeGreaterThan(1);
    const page = await fetch(url);
    expect(await page.text()).toContain('<div id="app">');

    const [strong, middle, weak] = await strengths(client);
    expect(strong! / middle!).toBeGreaterThan(1.5);
    expect(middle! / weak!).toBeGreaterThan(1.5);

    const pids = agentPids(home);
    expect(pids).toHaveLength(3);
    expect(await first.interrupt()).toBe(0);
    expect(leftOf(home)).toBe('');
    expect(groupsOf(pids)).toEqual([]);

    const cluster = statSync(join(home, 'postgres/data/PG_VERSION'));
    const second = start(home);
    expect(await second.untilRunning()).toBe(url);
    // Nothing is installed, compiled or packed, no database and no agent made: all is as it was.
    expect(second.steps).toEqual(['Postgres', 'Redis', 'the server', 'the agents'].map((what) => `medley: starting ${what}`));
    expect(statSync(join(home, 'postgres/data/PG_VERSION'))).toMatchObject({ ino: cluster.ino, mtimeMs: cluster.mtimeMs });
    expect(second.credentials).toBeNull();
    const again = await (await admin(url, first)).get<Page<NodeListItem>>('/nodes?limit=100');
    expect(again.items.map(({ id }) => id).toSorted()).toEqual(nodes.items.map(({ id }) => id).toSorted());
    // What tasks of the local agents can read opens nothing to them.
    expect(readFileSync(join(home, 'embedded/start.json'), 'utf8')).not.toMatch(/medley_|token/i);
    // What was measured earlier counts until it is measured again, so work is placed at once.
    expect((await strengths(await admin(url, first))).every((strength) => strength > 0)).toBe(true);
    expect(await second.untilPrinted('measured performance')).toMatch(/strong \d[\d.]*, middle \d[\d.]*, weak \d[\d.]*$/);
    expect(second.printed.indexOf('measured performance')).toBeGreaterThan(second.printed.indexOf('Ctrl-C stops everything'));
    const kept = await (await admin(url, first)).get<Page<RunListItem>>('/runs?limit=100');
    expect(kept.items.map(({ id }) => id)).toEqual(expect.arrayContaining(finished.map(({ id }) => id)));
    expect(await second.interrupt()).toBe(0);
  });

  it('leaves no process and no control group, running attempts included, when it is killed', async () => {
    const home = freshHome();
    const started = start(home, ['--agents', '1', '--no-example']);
    const url = await started.untilRunning();
    const client = await admin(url, started);
    const { workflowId } = await client.apply(
      '{ medley: 1, project: default, workflow: long, tasks: { sleep: { run: "echo here; sleep 987654" } } }',
    );
    await client.post(`/workflows/${workflowId}/runs`, {});
    await waitFor(() => findProcessesByMarker(home).some(({ command }) => command.includes('987654')), { describe: 'the attempt to run' });
    const pids = agentPids(home);
    expect(pids).toHaveLength(1);
    expect(groupsOf(pids)).not.toEqual([]);

    await started.end('SIGKILL');

    await waitFor(() => leftOf(home) === '', { timeoutMs: 20_000, describe: () => `everything to end; left:\n${leftOf(home)}` });
    await waitFor(() => groupsOf(pids).length === 0, {
      timeoutMs: 20_000,
      describe: () => `their groups to be removed: ${groupsOf(pids)}`,
    });
  });

  it('says who has the home when it is started twice, and what to do about a taken port, and takes the next one when none was asked for', async () => {
    const home = freshHome();
    const blocker = createServer().listen(await freePort(), '127.0.0.1');
    await waitFor(() => blocker.listening);
    const { port } = blocker.address() as { port: number };
    const refused = start(home, ['--agents', '0', '--no-example', '--port', String(port)]);
    expect(await refused.exitCode()).toBe(1);
    expect(refused.printed).toContain(`port ${port} on 127.0.0.1 is taken`);
    blocker.close();

    const first = start(home, ['--agents', '0', '--no-example', '--no-redis', '--port', String(port)]);
    expect(await first.untilRunning()).toBe(`http://127.0.0.1:${port}`);
    expect(first.printed).toContain('by long poll (no Redis)');
    const second = start(home, ['--agents', '0']);
    expect(await second.exitCode()).toBe(1);
    expect(second.printed).toContain(`Medley already runs from ${home}`);

    expect(await first.interrupt()).toBe(0);
    const other = createServer().listen(port, '127.0.0.1');
    await waitFor(() => other.listening);
    const third = start(home, ['--agents', '0', '--no-example', '--no-redis'], { byNpm: true });
    const elsewhere = Number(new URL(await third.untilRunning()).port);
    expect(elsewhere).toBeGreaterThan(port);
    expect(third.printed).toContain(`port ${port} is taken, using ${elsewhere}`);
    other.close();

    // The kill reaches npm alone; what npm had started ends by itself.
    await third.end('SIGKILL');
    await waitFor(() => leftOf(home) === '', { timeoutMs: 30_000, describe: () => `everything to end with npm; left:\n${leftOf(home)}` });
  });

  it('runs as a user without rights on a Postgres and a Redis of others, and leaves them as they were', async () => {
    const [home, postgres, redis] = [freshHome(), await startPostgres(), await startRedis()];
    if (plainUser !== null) chownSync(home, plainUser, plainUser);
    try {
      const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, HOME: home };
      const started = start(home, ['--agents', '1', '--no-example'], { env, uid: plainUser });
      const client = await admin(await started.untilRunning(), started);
      expect(started.steps).toEqual(['medley: starting the server', 'medley: starting the agents']);
      expect(started.printed).toContain('strong (100 %) of a core, throttled by duty cycle');
      const { workflowId } = await client.apply('{ medley: 1, project: default, workflow: who, tasks: { who: { run: "id -u" } } }');
      const { id } = await client.post<{ id: string }>(`/workflows/${workflowId}/runs`, {});
      await waitFor(async () => (await client.get<RunListItem>(`/runs/${id}`)).state === 'succeeded', { describe: 'the run to succeed' });
      const carriers = await query(postgres.url, 'select carrier from attempts where run_id = $1', [id]);
      expect(carriers).toEqual([{ carrier: 'queue' }]);
      expect(readdirSync(home).filter((name) => ['postgres', 'redis', 'embedded'].includes(name))).toEqual([]);
      expect(await started.interrupt()).toBe(0);
      expect(leftOf(home)).toBe('');
      expect(await query(postgres.url, 'select state from runs where id = $1', [id])).toEqual([{ state: 'succeeded' }]);
    } finally {
      await Promise.all([postgres.stop(), redis.stop()]);
    }
  });

  it('leaves out the examples with Python tasks where there is no Python, says so, and adds them once there is', async () => {
    const home = freshHome();
    const bare = start(home, ['--agents', '1', '--no-redis'], { env: { PATH: pathWithoutPython() } });
    const client = await admin(await bare.untilRunning(), bare);
    expect(bare.printed).toContain('no python3 here and none can be installed: orders-etl.yaml, python-primes.yaml left out');
    const names = async (from: RestClient) =>
      (await from.get<Page<WorkflowListItem>>('/workflows?limit=100')).items.map(({ name }) => name);
    expect((await names(client)).toSorted()).toEqual(['every-minute', 'service-check']);
    const [node] = (await client.get<Page<NodeListItem>>('/nodes')).items;
    expect(node!.runtimes).not.toContain('python3');
    expect(await bare.interrupt()).toBe(0);

    const whole = start(home, ['--agents', '1', '--no-redis']);
    const later = await admin(await whole.untilRunning(), bare);
    expect((await names(later)).toSorted()).toEqual(['every-minute', 'orders-etl', 'python-primes', 'service-check']);
  });
});
