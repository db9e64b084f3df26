import { createServer } from 'node:net';
import type { RunListItem } from '@medley/contracts';
import {
  describeProcesses,
  endProcessesByMarker,
  findProcessesByMarker,
  freePort,
  type RestClient,
  signIn,
  type TemporaryDirectory,
  temporaryDirectory,
  waitFor,
} from '@medley/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { Started } from './started.js';

interface Page<T> {
  items: T[];
}

const homes: TemporaryDirectory[] = [];
const running: Started[] = [];

function freshHome(): string {
  const home = temporaryDirectory('home');
  homes.push(home);
  return home.path;
}

function start(home: string, ...args: string[]): Started {
  const started = new Started(['--home', home, ...args]);
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

    const nodes = await client.get<Page<{ name: string; state: string }>>('/nodes?limit=100');
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
    const page = await fetch(url);
    expect(await page.text()).toContain('<div id="app">');

    expect(await first.interrupt()).toBe(0);
    expect(leftOf(home)).toBe('');

    const second = start(home);
    expect(await second.untilRunning()).toBe(url);
    expect(second.credentials).toBeNull();
    const kept = await (await admin(url, first)).get<Page<RunListItem>>('/runs?limit=100');
    expect(kept.items.map(({ id }) => id)).toEqual(expect.arrayContaining(finished.map(({ id }) => id)));
    expect(await second.interrupt()).toBe(0);
  });

  it('leaves no process, running attempts included, when it is killed', async () => {
    const home = freshHome();
    const started = start(home, '--agents', '1', '--no-example');
    const url = await started.untilRunning();
    const client = await admin(url, started);
    const { workflowId } = await client.apply(
      '{ medley: 1, project: default, workflow: long, tasks: { sleep: { run: "echo here; sleep 987654" } } }',
    );
    await client.post(`/workflows/${workflowId}/runs`, {});
    await waitFor(() => findProcessesByMarker(home).some(({ command }) => command.includes('987654')), { describe: 'the attempt to run' });

    await started.end('SIGKILL');

    await waitFor(() => leftOf(home) === '', { timeoutMs: 20_000, describe: () => `everything to end; left:\n${leftOf(home)}` });
  });

  it('says who has the home when it is started twice, and what to do about a taken port', async () => {
    const home = freshHome();
    const blocker = createServer().listen(await freePort(), '127.0.0.1');
    await waitFor(() => blocker.listening);
    const { port } = blocker.address() as { port: number };
    const refused = start(home, '--agents', '0', '--no-example', '--port', String(port));
    expect(await refused.exitCode()).toBe(1);
    expect(refused.printed).toContain(`port ${port} on 127.0.0.1 is taken`);
    blocker.close();

    const first = start(home, '--agents', '0', '--no-example', '--no-redis', '--port', String(port));
    expect(await first.untilRunning()).toBe(`http://127.0.0.1:${port}`);
    expect(first.printed).toContain('by long poll (no Redis)');
    const second = start(home, '--agents', '0');
    expect(await second.exitCode()).toBe(1);
    expect(second.printed).toContain(`Medley already runs from ${home}`);
  });
});
