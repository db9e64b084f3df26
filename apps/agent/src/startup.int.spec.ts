import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentApiServer } from './testing/agent-api-server.js';
import { AgentProcess } from './testing/agent-process.js';
import { waitUntil } from './testing/wait-until.js';

describe('an agent that starts', () => {
  const open: { dispose?: () => Promise<void>; close?: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) {
      await (thing.dispose?.() ?? thing.close?.());
    }
  });
  const serve = async () => {
    const server = new AgentApiServer();
    await server.listen();
    open.push(server);
    return server;
  };
  const startAgent = (environment: Record<string, string>) => {
    const agent = new AgentProcess(environment);
    open.unshift(agent);
    agent.start();
    return agent;
  };

  it('reports all faults of its configuration together and ends', async () => {
    const agent = startAgent({ MEDLEY_SERVER_URL: 'not a url', MEDLEY_JOIN_TOKEN: ' ', MEDLEY_AGENT_NAME: 'Über' });
    expect(await agent.exit()).toBe(1);
    for (const name of ['MEDLEY_SERVER_URL', 'MEDLEY_JOIN_TOKEN', 'MEDLEY_AGENT_NAME']) {
      expect(agent.errors).toContain(name);
    }
  });

  it('refuses to start without a join token when it has no credential', async () => {
    const server = await serve();
    const agent = startAgent({ MEDLEY_SERVER_URL: server.url });
    expect(await agent.exit()).toBe(1);
    expect(agent.errors).toContain('set MEDLEY_JOIN_TOKEN');
  });

  it('joins once, keeps its credential for itself, and needs no token afterwards', async () => {
    const server = await serve();
    const agent = startAgent({ MEDLEY_SERVER_URL: server.url, MEDLEY_JOIN_TOKEN: 'token' });
    await waitUntil('session', () => server.sessions.length === 1);
    expect(statSync(join(agent.home, 'credential.json')).mode & 0o777).toBe(0o600);
    await agent.signal('SIGKILL');
    agent.start({ MEDLEY_JOIN_TOKEN: '' });
    expect(await agent.exit()).toBe(1);
    agent.start();
    await waitUntil('second session', () => server.sessions.length === 2);
    expect(server.joins).toBe(1);
    expect(agent.log).not.toContain('credential-of-the-test-node');
  });

  it('waits for its server', async () => {
    const server = await serve();
    server.away = true;
    const agent = startAgent({ MEDLEY_SERVER_URL: server.url, MEDLEY_JOIN_TOKEN: 'token' });
    await waitUntil('first failure', () => agent.log.includes('cannot join yet'));
    server.away = false;
    await waitUntil('session', () => server.sessions.length === 1);
  });

  it('ends with a clear message when there is no common protocol', async () => {
    const server = await serve();
    server.protocol = 99;
    const agent = startAgent({ MEDLEY_SERVER_URL: server.url, MEDLEY_JOIN_TOKEN: 'token' });
    expect(await agent.exit()).toBe(1);
    expect(agent.errors).toContain('the server chose version 99');
  });

  it('leaves a home alone that another agent uses', async () => {
    const server = await serve();
    const first = startAgent({ MEDLEY_SERVER_URL: server.url, MEDLEY_JOIN_TOKEN: 'token' });
    await waitUntil('session', () => server.sessions.length === 1);
    const second = startAgent({ MEDLEY_SERVER_URL: server.url, MEDLEY_JOIN_TOKEN: 'token', MEDLEY_AGENT_HOME: first.home });
    expect(await second.exit()).toBe(1);
    expect(second.errors).toContain(`Another agent (pid ${first.pid}) uses this home`);
  });
});
