import type { CreatedUser, UserDetail } from '@medley/contracts';
import { anonymous, type RestClient, signIn } from '@medley/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerConfig } from '../../config.js';
import { createApp } from '../../create-app.js';
import { createLogger } from '../../logging/logger.js';
import { problemFrom } from '../../testing/problem.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';

const GOOD = 'correct horse battery';
const LIMIT = 10;

describe('failed sign-ins', () => {
  let server: TestServer;
  let second: NestFastifyApplication;
  let urls: [string, string];
  beforeAll(async () => {
    server = await startTestServer({ MEDLEY_TRUST_PROXY: 'true' });
    const { url } = server.source.options as { url: string };
    const env = { MEDLEY_DATABASE_URL: url, MEDLEY_PORT: '0', MEDLEY_DATABASE_POOL_SIZE: '4', MEDLEY_TRUST_PROXY: 'true' };
    second = await createApp(readServerConfig(env), createLogger('silent'));
    await second.listen(0, '127.0.0.1');
    urls = [server.url, await second.getUrl()];
  });
  afterAll(async () => {
    await second.close();
    await server.close();
  });

  const create = (name: string) => server.admin.post<CreatedUser>('/users', { name, password: GOOD, mustChangePassword: false });
  /** Signs in from an address of its own, so that only names are counted. */
  async function attempt(url: string, name: string, password: string, address: string): Promise<string> {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const answer = await anonymous(url).request('POST', '/login', { body: JSON.stringify({ name, password }), headers });
    return answer.ok ? 'in' : ((await answer.json()) as { code: string }).code;
  }
  const later = (name: string) =>
    server.source.query(
      `update sign_in_failures set last_at = last_at - interval '301 seconds' where key = sha256(convert_to('account ' || $1, 'UTF8'))`,
      [name],
    );

  it('on one server and on another lock a name together, for five minutes, the right password included', async () => {
    const { id } = await create('lola');
    for (let failure = 0; failure < LIMIT; failure++)
      expect(await attempt(urls[failure % 2]!, 'lola', 'guess', `10.0.0.${failure}`)).toBe('login-failed');
    for (const url of urls) expect(await attempt(url, 'Lola', GOOD, '10.0.1.1')).toBe('too-many-requests');
    const { lockedUntil } = await server.admin.get<UserDetail>(`/users/${id}`);
    const seconds = (Date.parse(lockedUntil!) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(200);
    expect(seconds).toBeLessThanOrEqual(301);
    await later('lola');
    expect(await attempt(urls[1], 'lola', GOOD, '10.0.1.1')).toBe('in');
    expect(await server.admin.get(`/users/${id}`)).toMatchObject({ lockedUntil: null, lastSignInAt: expect.any(String) });
  });

  it('lock a name that nobody has as they lock one that somebody has', async () => {
    await create('moritz');
    const codes = async (name: string) => {
      const answers: string[] = [];
      for (let failure = 0; failure < LIMIT + 2; failure++) answers.push(await attempt(urls[0], name, 'guess', `10.1.0.${failure}`));
      return answers;
    };
    const [known, unknown] = [await codes('moritz'), await codes('nobody')];
    expect(unknown).toEqual(known);
    expect(known).toEqual([...Array(LIMIT).fill('login-failed'), 'too-many-requests', 'too-many-requests']);
  });

  it('that are sent side by side are all counted', async () => {
    await create('nora');
    const tries = Array.from({ length: 30 }, (_, index) => attempt(urls[index % 2]!, 'nora', 'guess', `10.2.0.${index}`));
    const answers = await Promise.all(tries);
    expect(answers.filter((code) => code === 'login-failed')).toHaveLength(LIMIT);
    expect(answers.filter((code) => code === 'too-many-requests')).toHaveLength(20);
  });

  it('are forgotten after a success, and when an administrator unlocks the name', async () => {
    const { id } = await create('olaf');
    const fail = async (count: number) => {
      for (let failure = 0; failure < count; failure++) await attempt(urls[0], 'olaf', 'guess', `10.3.0.${failure}`);
    };
    await fail(LIMIT - 1);
    expect(await attempt(urls[0], 'olaf', GOOD, '10.3.1.1')).toBe('in');
    await fail(LIMIT);
    expect(await attempt(urls[0], 'olaf', GOOD, '10.3.1.1')).toBe('too-many-requests');
    expect(await server.admin.post<UserDetail>(`/users/${id}/unlock`)).toMatchObject({ lockedUntil: null });
    expect(await attempt(urls[1], 'olaf', GOOD, '10.3.1.1')).toBe('in');
  });

  it('from one address lock it on every server, whatever the names, while successes cost it nothing', async () => {
    await create('paula');
    const from = '10.4.0.1';
    for (let success = 0; success < 3; success++) await attempt(urls[0], 'paula', GOOD, from);
    const guesses = Array.from({ length: 30 }, (_, index) => attempt(urls[index % 2]!, `name-${index}`, 'guess', from));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['login-failed']));
    expect(await attempt(urls[1], 'paula', GOOD, from)).toBe('too-many-requests');
    expect(await attempt(urls[1], 'paula', GOOD, '10.4.0.2')).toBe('in');
  });

  it('of the current password, when it is to be changed, count as well', async () => {
    await create('quentin');
    const client: RestClient = await signIn(urls[0], 'quentin', GOOD);
    const guess = () => problemFrom(client.post('/me/password', { currentPassword: 'guess', newPassword: 'something else entirely' }));
    for (let failure = 0; failure < LIMIT; failure++) expect(await guess()).toMatchObject({ code: 'password-wrong' });
    expect(await guess()).toMatchObject({ status: 429 });
  });

  it('a session or a token that is revoked on one server is refused by the other at once', async () => {
    const { id } = await create('rosa');
    const there = await signIn(urls[1], 'rosa', GOOD);
    await expect(there.get('/me')).resolves.toMatchObject({ name: 'rosa' });
    await server.admin.patch(`/users/${id}`, { disabled: true });
    expect(await problemFrom(there.get('/me'))).toMatchObject({ status: 401 });
  });
});
