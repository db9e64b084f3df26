import { createServer } from 'node:net';
import { createTestDatabase, query, type TestDatabase, waitFor } from '@medley/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { ChangeEvent } from './change-event.js';
import { PostgresPeers } from './postgres-peers.js';
import { type Wake, WakeBus } from './wake-bus.js';

const quiet = pino({ level: 'silent' });

interface Server {
  bus: WakeBus;
  peers: PostgresPeers;
  wakes: Wake[];
  changes: ChangeEvent[];
}

describe('wake-ups between servers', () => {
  let database: TestDatabase;
  const started: PostgresPeers[] = [];

  beforeEach(async () => {
    database = await createTestDatabase(inject('postgresUrl'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((peers) => peers.stop()));
    await database.drop();
  });

  function serverOn(url: string): Server {
    const bus = new WakeBus();
    const peers = new PostgresPeers(url, bus, quiet);
    bus.connect(peers);
    const server: Server = { bus, peers, wakes: [], changes: [] };
    bus.heard.subscribe((wake) => server.wakes.push(wake));
    bus.changes.subscribe((events) => server.changes.push(...events));
    started.push(peers);
    peers.start();
    return server;
  }

  const backends = () =>
    query<{ pid: number }>(
      inject('postgresUrl'),
      `select pid from pg_stat_activity where datname = $1 and application_name = 'medley_wake'`,
      [database.name],
    );
  const works = ({ wakes }: Server) => wakes.filter((wake) => wake.topic === 'work').map((wake) => wake.nodeId);

  /** Two servers that hear each other. */
  async function pair(): Promise<[Server, Server]> {
    const both: [Server, Server] = [serverOn(database.url), serverOn(database.url)];
    await hearEachOther(both);
    return both;
  }

  async function hearEachOther([first, second]: [Server, Server]): Promise<void> {
    const mark = `mark-${Math.random()}`;
    await waitFor(() => {
      first.bus.work(`${mark}-1`);
      second.bus.work(`${mark}-2`);
      return works(second).includes(`${mark}-1`) && works(first).includes(`${mark}-2`);
    });
  }

  it('reach the other server once and do not come back', async () => {
    const [first, second] = await pair();
    first.bus.work('node-a');
    first.bus.changed([{ entity: 'run', id: 'run-a' }]);
    first.bus.work('last');
    await waitFor(() => works(second).includes('last') && second.changes.length > 0);

    expect(works(second).filter((id) => id === 'node-a')).toHaveLength(1);
    expect(second.changes).toEqual([{ entity: 'run', id: 'run-a' }]);
    expect(works(first).filter((id) => id === 'node-a')).toHaveLength(1); // its own process hears it without the detour
    expect(first.changes).toHaveLength(1);
  });

  it('are coalesced: the same hint given many times at once travels once', async () => {
    const [first, second] = await pair();
    const before = second.wakes.filter(({ topic }) => topic === 'place').length;
    for (let repeat = 0; repeat < 100; repeat++) first.bus.place();
    first.bus.work('end');
    await waitFor(() => works(second).includes('end'));
    expect(second.wakes.filter(({ topic }) => topic === 'place')).toHaveLength(before + 1);
  });

  it('split what is too large for one notification and lose nothing of it', async () => {
    const [first, second] = await pair();
    const events = Array.from(
      { length: 2000 },
      (_, index): ChangeEvent => ({ entity: 'run', id: `run-${index}`, projectId: 'p'.repeat(36) }),
    );
    first.bus.changed(events);
    await waitFor(() => second.changes.length >= events.length);
    expect(second.changes.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(events.toSorted((a, b) => a.id.localeCompare(b.id)));
  });

  it('come back after their connections were terminated, one connection a server, each hint once', async () => {
    const both = await pair();
    await query(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'medley_wake' and datname = $1`,
      [database.name],
    );
    await hearEachOther(both);
    const [first, second] = both;
    first.bus.work('after');
    await waitFor(() => works(second).includes('after'));
    first.bus.work('end');
    await waitFor(() => works(second).includes('end'));
    expect(works(second).filter((id) => id === 'after')).toHaveLength(1);
    expect(await backends()).toHaveLength(2);
  });

  it('ignore what is not from a server of theirs', async () => {
    const [first, second] = await pair();
    await query(database.url, `select pg_notify('medley_wake', 'not json')`);
    await query(database.url, `select pg_notify('medley_wake', '{"from": 1}')`);
    await hearEachOther([first, second]);
  });

  it('leave no connection when the server stops before it was connected', async () => {
    const { peers } = serverOn(database.url);
    await peers.stop();
    const other = serverOn(database.url);
    await waitFor(() => other.wakes.length > 0); // a later one has connected meanwhile
    await waitFor(async () => (await backends()).length === 1);
  });

  it('try to connect about once a second while Postgres is away', async () => {
    let connections = 0;
    const closed = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    const port = await new Promise<number>((resolve) => {
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port));
    });
    const before = performance.now();
    serverOn(`postgres://nobody@127.0.0.1:${port}/none`);
    await waitFor(() => connections >= 4, { timeoutMs: 10_000, pollMs: 5 });
    expect(performance.now() - before).toBeGreaterThan(2900);
    closed.close();
  });
});
