import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CreatedApiToken, CreatedJoinToken, Me } from '@medley/contracts';
import { anonymous, query, signIn, temporaryDirectory, withToken } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerConfig } from '../config.js';
import { createApp } from '../create-app.js';
import { createLogger } from '../logging/logger.js';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('access', () => {
  const directory = temporaryDirectory('bootstrap');
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    await server.close();
    directory.remove();
  });

  const createToken = (scopes: string[]) => server.admin.post<CreatedApiToken>('/tokens', { name: 'test', scopes });
  const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    server.source.query(text, values) as Promise<Row[]>;

  it('signs the generated administrator in and tells who it is', async () => {
    expect(server.credentials.adminPassword).toHaveLength(20);
    expect(await server.admin.get<Me>('/me')).toMatchObject({
      name: 'admin',
      isAdmin: true,
      via: 'session',
      scopes: ['read', 'write', 'admin'],
    });
  });

  it('keeps only hashes of passwords, sessions and tokens', async () => {
    const { token } = await createToken(['read']);
    const stored = JSON.stringify([
      await sql('select * from users'),
      await sql(`select encode(token_hash, 'escape') from sessions`),
      await sql(`select encode(token_hash, 'escape') from api_tokens`),
    ]);
    expect(stored).toContain('$argon2id$');
    expect(stored).not.toContain(server.credentials.adminPassword);
    expect(stored).not.toContain(token);
  });

  it('does not tell whether the name or the password was wrong', async () => {
    const wrongPassword = await problemFrom(signIn(server.url, 'admin', 'wrong'));
    const wrongName = await problemFrom(signIn(server.url, 'nobody', 'wrong'));
    expect(wrongPassword).toMatchObject({ status: 401, code: 'login-failed' });
    expect({ ...wrongName, requestId: '' }).toEqual({ ...wrongPassword, requestId: '' });
  });

  it('refuses a name for a while after ten failures, the right password included, and leaves others alone', async () => {
    for (let failure = 0; failure < 10; failure++) await problemFrom(signIn(server.url, 'mallory', 'guess'));
    expect(await problemFrom(signIn(server.url, 'mallory', 'guess'))).toMatchObject({ status: 429, code: 'too-many-requests' });
    await expect(signIn(server.url, server.credentials.adminName, server.credentials.adminPassword)).resolves.toBeDefined();
  });

  it('ends a session with sign-out', async () => {
    const client = await signIn(server.url, server.credentials.adminName, server.credentials.adminPassword);
    await client.post('/logout');
    expect(await problemFrom(client.get('/me'))).toMatchObject({ status: 401, code: 'authentication-required' });
  });

  it('sends the session cookie where scripts cannot read it', async () => {
    const body = JSON.stringify({ name: server.credentials.adminName, password: server.credentials.adminPassword });
    const answer = await anonymous(server.url).request('POST', '/login', { body, headers: { 'content-type': 'application/json' } });
    expect(answer.headers.get('set-cookie')).toMatch(/^medley_session=.*; HttpOnly; SameSite=Lax$/);
  });

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://other.example' }],
    [{ origin: 'null' }],
  ])('refuses a change by cookie that comes from %o', async (headers) => {
    const answer = await server.admin.request('POST', '/projects', {
      body: '{"name":"evil"}',
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'origin-refused']);
    expect(await sql(`select 1 from projects where name = 'evil'`)).toEqual([]);
  });

  it('lets a token do what its scopes say and nothing else', async () => {
    const reader = withToken(server.url, (await createToken(['read'])).token);
    const writer = withToken(server.url, (await createToken(['write'])).token);
    await expect(reader.get('/workflows')).resolves.toMatchObject({ items: [] });
    expect(await problemFrom(reader.apply('medley: 1'))).toMatchObject({ status: 403, code: 'permission-denied' });
    expect(await problemFrom(writer.apply('medley: 1'))).toMatchObject({ status: 400, code: 'workflow-invalid' });
    expect(await problemFrom(writer.post('/join-tokens', {}))).toMatchObject({ status: 403 });
    expect(await problemFrom(writer.post('/tokens', { name: 'more', scopes: ['admin'] }))).toMatchObject({ status: 403 });
  });

  it.each([
    ['revoked', `update api_tokens set revoked_at = now() where id = $1`],
    ['expired', `update api_tokens set expires_at = now() - interval '1 second' where id = $1`],
  ])('refuses a token that is %s', async (_, change) => {
    const { id, token } = await createToken(['admin']);
    await expect(withToken(server.url, token).get('/me')).resolves.toMatchObject({ via: 'token' });
    await sql(change, [id]);
    expect(await problemFrom(withToken(server.url, token).get('/me'))).toMatchObject({ status: 401, code: 'token-invalid' });
  });

  it('shows a token once', async () => {
    const { id, token } = await createToken(['read']);
    const listed = await server.admin.get<{ items: { id: string }[] }>('/tokens');
    expect(listed.items.map((item) => item.id)).toContain(id);
    expect(JSON.stringify(listed)).not.toContain(token);
  });

  it.each([
    ['/tokens', { name: 'repeated', scopes: ['read'] }, "select count(*)::int as count from api_tokens where name = 'repeated'"],
    ['/join-tokens', { maxUses: 77 }, 'select count(*)::int as count from join_tokens where max_uses = 77'],
  ])('makes one token per idempotency key at %s, and keeps no secret for a repetition', async (path, body, counting) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': `key ${path}` };
    const post = () => server.admin.request('POST', path, { body: JSON.stringify(body), headers });
    const first = await post();
    const { token } = (await first.json()) as { token: string };
    const again = await post();
    expect([first.status, again.status]).toEqual([201, 409]);
    expect(await again.json()).toMatchObject({ code: 'idempotency-key-reused', detail: expect.stringContaining('only the first answer') });
    expect(await sql(counting)).toEqual([{ count: 1 }]);
    expect(JSON.stringify(await sql('select * from idempotency_keys'))).not.toContain(token);
  });

  it('makes join tokens for pools that exist and revokes them', async () => {
    const created = await server.admin.post<CreatedJoinToken>('/join-tokens', { labels: { zone: 'dc1' }, maxUses: 3 });
    expect(created).toMatchObject({ pool: 'default', labels: { zone: 'dc1' }, maxUses: 3, uses: 0, revokedAt: null });
    await server.admin.delete(`/join-tokens/${created.id}`);
    const [row] = await sql<{ revoked_at: Date }>('select revoked_at from join_tokens where id = $1', [created.id]);
    expect(row!.revoked_at).toBeInstanceOf(Date);
    expect(await problemFrom(server.admin.post('/join-tokens', { pool: 'nowhere' }))).toMatchObject({ status: 404 });
  });

  it.each(['', 'short', 'medley_node_unknown-credential-of-nobody'])('refuses an agent with the credential "%s"', async (credential) => {
    const answer = await fetch(`${server.url}/agent/v1/work`, { headers: { authorization: `Bearer ${credential}` } });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'agent-credential-invalid']);
  });

  it('creates the administrator once, however often a server starts', async () => {
    const { url } = server.source.options as { url: string };
    const bootstrapFile = join(directory.path, 'second.json');
    const config = readServerConfig({ MEDLEY_DATABASE_URL: url, MEDLEY_BOOTSTRAP_FILE: bootstrapFile });
    const second = await createApp(config, createLogger('silent'));
    await second.init();
    await second.close();
    expect(existsSync(bootstrapFile)).toBe(false);
    expect(await query(url, 'select name from users')).toEqual([{ name: 'admin' }]);
  });
});
