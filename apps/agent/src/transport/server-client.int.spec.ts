import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ServerClient } from './server-client.js';
import { ServerUnreachableError } from './server-errors.js';

const MINUTES = 600_000;
const answer = z.object({ from: z.string() });

/** Answers with its name; `silent` holds every request, `refusing` answers that it cannot at the moment. */
class SmallServer {
  mode: 'answering' | 'silent' | 'refusing' = 'answering';
  readonly asked: string[] = [];
  private readonly server: Server;

  constructor(name: string) {
    this.server = createServer((request, response) => {
      this.asked.push(request.url!.split('/').at(-1)!);
      if (this.mode === 'silent') return;
      response.writeHead(this.mode === 'refusing' ? 503 : 200).end(JSON.stringify({ from: name }));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('requests at a server that stops answering', () => {
  let first: SmallServer;
  let second: SmallServer;
  let urls: string[];
  const clients: ServerClient[] = [];
  beforeEach(async () => {
    first = new SmallServer('first');
    second = new SmallServer('second');
    urls = [await first.listen(), await second.listen()];
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all([first.close(), second.close()]);
  });

  const clientOf = (...addresses: string[]) => {
    const client = new ServerClient(addresses);
    clients.push(client);
    return client;
  };
  const send = (client: ServerClient, path: string, timeoutMs: number, longPoll = false) =>
    client.request({ method: 'POST', path, body: {}, answer, timeoutMs, longPoll });

  it('are given up when the heartbeat finds it dead, and go to the next one at once', async () => {
    first.mode = 'silent';
    const client = clientOf(...urls);
    const waiting = ['reports', 'claims'].map((path) => send(client, path, MINUTES));
    const work = send(client, 'work', MINUTES, true);
    await expect.poll(() => first.asked.length).toBe(3);
    await expect(send(client, 'heartbeat', 100)).rejects.toThrow(ServerUnreachableError);
    for (const each of [...waiting, work]) await expect(each).rejects.toThrow(ServerUnreachableError);
    expect(await send(client, 'reports', MINUTES)).toEqual({ from: 'second' });
  });

  it('go on when it answers another one that it cannot at the moment', async () => {
    const client = clientOf(...urls);
    first.mode = 'silent';
    let ended = false;
    const reports = send(client, 'reports', MINUTES).finally(() => {
      ended = true;
    });
    reports.catch(() => undefined);
    await expect.poll(() => first.asked.length).toBe(1);
    first.mode = 'refusing';
    await expect(send(client, 'claims', MINUTES)).rejects.toThrow('503');
    expect(await send(client, 'claims', MINUTES)).toEqual({ from: 'second' });
    expect(ended).toBe(false);
  });

  it('go on when there is no other server, but for the long poll', async () => {
    first.mode = 'silent';
    const client = clientOf(urls[0]!);
    let ended = false;
    const reports = send(client, 'reports', MINUTES).finally(() => {
      ended = true;
    });
    reports.catch(() => undefined);
    const work = send(client, 'work', MINUTES, true);
    await expect.poll(() => first.asked.length).toBe(2);
    await expect(send(client, 'heartbeat', 100)).rejects.toThrow(ServerUnreachableError);
    await expect(work).rejects.toThrow(ServerUnreachableError);
    first.mode = 'answering';
    expect(await send(client, 'reports', MINUTES)).toEqual({ from: 'first' });
    expect(ended).toBe(false);
  });
});
