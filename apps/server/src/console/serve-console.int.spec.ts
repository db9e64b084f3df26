import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('the console', () => {
  const directory = temporaryDirectory('console');
  let server: TestServer;
  beforeAll(async () => {
    mkdirSync(join(directory.path, 'assets'));
    writeFileSync(join(directory.path, 'index.html'), '<title>Medley</title>');
    writeFileSync(join(directory.path, 'assets', 'app-1a2b.js'), 'export {};');
    server = await startTestServer({ MEDLEY_CONSOLE_DIR: directory.path });
  });
  afterAll(async () => {
    await server.close();
    directory.remove();
  });

  const get = (path: string) => fetch(`${server.url}${path}`);

  it.each(['/', '/runs/some-id', '/index.html'])('is served at %s without being cached', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).toContain('<title>Medley</title>');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  it('lets browsers keep what has a hash in its name', async () => {
    const answer = await get('/assets/app-1a2b.js');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toMatch(/javascript/);
  });

  it.each(['/assets/gone.js', '/api/v1/nothing', '/agent/v1/nothing'])('does not stand in for %s', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });

  it.each(['/..%2f..%2fetc/passwd', '/assets/..%2f..%2fetc%2fpasswd', '/%00'])('hands out nothing else for %s', async (path) => {
    expect(await (await get(path)).text()).not.toContain('root:');
  });
});
