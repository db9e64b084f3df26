import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentBundle } from '@medley/contracts';
import { temporaryDirectory } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('the packed agent', () => {
  const directory = temporaryDirectory('agent-bundle');
  const file = join(directory.path, 'agent.mjs');
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ MEDLEY_AGENT_BUNDLE: file });
  });
  afterAll(async () => {
    await server.close();
    directory.remove();
  });

  it('is missed with a word on how to build it where there is none', async () => {
    await expect(server.admin.get('/agent-bundle')).rejects.toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('npm run build') },
    });
    expect((await fetch(`${server.url}/agent/medley-agent.mjs`)).status).toBe(404);
  });

  it('is handed to anyone, while its checksum goes to people who may see nodes, also after a new build', async () => {
    for (const content of ['console.log(1)', 'console.log("another build")']) {
      writeFileSync(file, content);
      const about = await server.admin.get<AgentBundle>('/agent-bundle');
      const answer = await fetch(`${server.url}${about.path}`);
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const body = Buffer.from(await answer.arrayBuffer());
      expect(body.toString()).toBe(content);
      expect(about).toMatchObject({ sha256: createHash('sha256').update(body).digest('hex'), bytes: body.length });
    }
    expect((await fetch(`${server.url}/api/v1/agent-bundle`)).status).toBe(401);
  });
});
