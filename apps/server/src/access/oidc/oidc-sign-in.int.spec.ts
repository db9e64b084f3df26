import type { GroupView, Me, ProjectView, SignInMethods, UserView } from '@medley/contracts';
import { anonymous, freePort, IdentityProvider } from '@medley/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readServerConfig } from '../../config.js';
import { createApp } from '../../create-app.js';
import { createLogger } from '../../logging/logger.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';
import { LinkFollower } from './link-follower.fixture.js';

const ada = { preferred_username: 'ada', name: 'Ada Lovelace', email: 'ada@example.org' };
const accounts = {
  'subject-ada': { ...ada, groups: ['crew'] },
  'subject-grace': { preferred_username: 'grace' },
  'subject-impostor': { preferred_username: 'Admin' },
  'subject-nameless': { name: 'No Name' },
};

describe('sign-in through an OpenID provider', () => {
  let provider: IdentityProvider;
  let server: TestServer;
  let browser: LinkFollower;
  beforeAll(async () => {
    const port = await freePort();
    provider = await IdentityProvider.start({ publicUrl: `http://127.0.0.1:${port}`, accounts });
    server = await startTestServer({ ...provider.serverEnv, MEDLEY_PORT: String(port), MEDLEY_OIDC_LOGOUT: 'true' });
  });
  afterAll(async () => {
    await server?.close();
    await provider?.remove();
  });
  afterEach(() => provider.setAccounts(accounts));

  /** Goes the whole way in a fresh browser: to the provider, through its forms, and back. Resolves with the address where it ends. */
  async function signIn(subject: string, { to = '/runs?state=failed', alter = (url: URL) => url } = {}): Promise<string> {
    browser = new LinkFollower();
    browser.alter = alter;
    const login = await browser.visit(`${server.url}/api/v1/sign-in/oidc?to=${encodeURIComponent(to)}`);
    if (!login.url.href.startsWith(provider.issuer)) return login.url.href;
    const consent = await browser.submit(login, { login: subject, password: 'any' });
    const end = consent.url.href.startsWith(provider.issuer) ? await browser.submit(consent, {}) : consent;
    return end.url.href;
  }
  const me = async () => {
    const headers = { cookie: `medley_session=${browser.cookie('medley_session')}` };
    const answer = await anonymous(server.url).request('GET', '/me', { headers });
    return { status: answer.status, body: (await answer.json()) as Me };
  };
  const refusedWith = (code: string, to = '/runs?state=failed') =>
    `${server.url}/login?${new URLSearchParams({ problem: code, ...(to && { to }) })}`;
  const users = async () => (await server.admin.get<{ items: UserView[] }>('/users?limit=100')).items.map(({ name }) => name);

  it('is offered to the login page', async () => {
    const methods = await anonymous(server.url).get<SignInMethods>('/sign-in/methods');
    expect(methods).toEqual({ password: true, ldap: null, oidc: { displayName: 'Test provider', signOut: true } });
  });

  it('goes to the provider and back to the page asked for, and makes the user', async () => {
    expect(await signIn('subject-ada')).toBe(`${server.url}/runs?state=failed`);
    const { body } = await me();
    expect(body).toMatchObject({
      name: 'ada',
      displayName: 'Ada Lovelace',
      email: 'ada@example.org',
      source: 'oidc',
      via: 'session',
      isAdmin: false,
    });
    const authorization = new URL(browser.visited.find((url) => url.startsWith(`${provider.issuer}/auth?`))!).searchParams;
    expect(Object.fromEntries(authorization)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid profile email groups',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(authorization.get(name)?.length, name).toBeGreaterThan(40);
  });

  it('keeps what is pending where no script reads it, where a link from elsewhere brings it, and no longer than needed', async () => {
    await signIn('subject-ada');
    const [pending] = browser.cookieLines.filter((line) => line.startsWith('medley_sign_in='));
    expect(pending).toMatch(/; Max-Age=600; Path=\/api\/v1\/sign-in\/oidc; HttpOnly; SameSite=Lax$/);
    expect(browser.cookie('medley_sign_in')).toBeNull();
  });

  it('finds the same user again, renamed or not', async () => {
    await signIn('subject-ada');
    const first = (await me()).body.userId;
    provider.setAccounts({ 'subject-ada': { ...ada, preferred_username: 'ada.king', name: 'Ada King' } });
    await signIn('subject-ada');
    expect((await me()).body).toMatchObject({ userId: first, name: 'ada.king', displayName: 'Ada King' });
  });

  it('gives the roles of groups by their external names, and takes them back at the next sign-in', async () => {
    const group = await server.admin.post<GroupView>('/groups', { name: 'Crew of Medley', externalName: 'crew' });
    const { items } = await server.admin.get<{ items: ProjectView[] }>('/projects');
    await server.admin.request('PUT', `/projects/${items[0]!.id}/members`, {
      body: JSON.stringify({ kind: 'group', principalId: group.id, role: 'operator' }),
      headers: { 'content-type': 'application/json' },
    });
    await signIn('subject-ada');
    expect((await me()).body.projects).toMatchObject([{ id: items[0]!.id, role: 'operator' }]);
    provider.setAccounts({ 'subject-ada': { ...ada, groups: ['others'] } });
    await signIn('subject-ada');
    expect((await me()).body.projects).toEqual([]);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/..//evil.example', 'javascript:alert(1)'])(
    'does not go on to %s afterwards',
    async (to) => {
      expect(new URL(await signIn('subject-ada', { to })).origin).toBe(server.url);
      expect((await me()).status).toBe(200);
    },
  );

  const changed = (path: string, name: string) => (url: URL) => {
    if (url.pathname.endsWith(path)) url.searchParams.set(name, 'x'.repeat(43));
    return url;
  };

  it.each([
    ['the state in the answer', '/callback', 'state'],
    ['the code in the answer', '/callback', 'code'],
    ['the nonce in the request', '/auth', 'nonce'],
    ['the PKCE challenge in the request', '/auth', 'code_challenge'],
    ['the issuer in the answer', '/callback', 'iss'],
  ])('is refused when somebody changed %s', async (_, path, parameter) => {
    expect(await signIn('subject-ada', { alter: changed(path, parameter) })).toBe(refusedWith('sign-in-invalid'));
    expect(browser.cookie('medley_session')).toBeNull();
  });

  it('is refused in a browser that did not begin it, and with a cookie of somebody else', async () => {
    const callback = await callbackOf('subject-ada');
    const other = new LinkFollower();
    expect((await other.visit(callback)).url.href).toBe(refusedWith('sign-in-expired', ''));
    other.setCookie('medley_sign_in', 'made-up');
    expect((await other.visit(callback)).url.href).toBe(refusedWith('sign-in-expired', ''));
  });

  /** An answer of the provider that never reached Medley. */
  async function callbackOf(subject: string): Promise<string> {
    let callback = '';
    const alter = (url: URL) => {
      if (!url.pathname.endsWith('/callback')) return url;
      callback = url.href;
      return new URL('/stopped', url);
    };
    await signIn(subject, { alter });
    return callback;
  }

  it('is finished by another server than began it', async () => {
    const callback = new URL(await callbackOf('subject-ada'));
    const { url } = server.source.options as { url: string };
    const config = readServerConfig({ ...provider.serverEnv, MEDLEY_DATABASE_URL: url, MEDLEY_DATABASE_POOL_SIZE: '4' });
    const second = await createApp(config, createLogger('silent'));
    await second.listen(0, '127.0.0.1');
    browser.alter = (to) => (to.pathname.endsWith('/callback') ? to : new URL('/stopped', to));
    await browser.visit(`${await second.getUrl()}${callback.pathname}${callback.search}`);
    await second.close();
    expect((await me()).body).toMatchObject({ name: 'ada', via: 'session' });
  });

  it('cannot be repeated with an answer that was used', async () => {
    const callback = await callbackOf('subject-ada');
    const pending = browser.cookie('medley_sign_in')!;
    browser.alter = (url) => url;
    expect((await browser.visit(callback)).url.href).toBe(`${server.url}/runs?state=failed`);
    browser.forgetCookies();
    browser.setCookie('medley_sign_in', pending);
    expect((await browser.visit(callback)).url.href).toBe(refusedWith('sign-in-invalid'));
  });

  it('tells when the provider refused', async () => {
    browser = new LinkFollower();
    const login = await browser.visit(`${server.url}/api/v1/sign-in/oidc?to=/nodes`);
    const end = await browser.visit(`${login.url.href}/abort`);
    expect(end.url.href).toBe(refusedWith('sign-in-denied', '/nodes'));
  });

  it('does not take over a local user of the same name, whatever its case', async () => {
    expect(await signIn('subject-impostor')).toBe(refusedWith('user-name-clash'));
    expect(browser.cookie('medley_session')).toBeNull();
    expect((await users()).filter((name) => name.toLowerCase() === 'admin')).toEqual(['admin']);
  });

  it('is refused to a user that is disabled', async () => {
    await signIn('subject-grace');
    await server.admin.patch(`/users/${(await me()).body.userId}`, { disabled: true });
    expect((await me()).status).toBe(401);
    expect(await signIn('subject-grace')).toBe(refusedWith('user-disabled'));
  });

  it('is refused when no claim names the user', async () => {
    expect(await signIn('subject-nameless')).toBe(refusedWith('sign-in-invalid'));
  });

  it('ends at the provider as well, and comes back to the login page', async () => {
    await signIn('subject-ada');
    const page = await browser.visit(`${server.url}/api/v1/sign-in/oidc/sign-out`);
    expect(page.url.href).toMatch(new RegExp(`^${provider.issuer}/session/end\\?`));
    const end = await browser.submit(page, { logout: 'yes' });
    expect(end.url.href).toBe(`${server.url}/login`);
  });

  it('is unavailable while the provider is down; passwords go on, and it is back with the provider', async () => {
    const callback = await callbackOf('subject-ada');
    await provider.stop();
    browser.alter = (url) => url;
    expect((await browser.visit(callback)).url.href).toBe(refusedWith('provider-unavailable'));
    const cold = await startTestServer({ ...provider.serverEnv, MEDLEY_PUBLIC_URL: 'http://127.0.0.1:1' });
    const answer = await fetch(`${cold.url}/api/v1/sign-in/oidc`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/login?problem=provider-unavailable']);
    await provider.start();
    const again = await fetch(`${cold.url}/api/v1/sign-in/oidc`, { redirect: 'manual' });
    expect(again.headers.get('location')).toContain(`${provider.issuer}/auth?`);
    await cold.close();
    expect(await signIn('subject-ada')).toBe(`${server.url}/runs?state=failed`);
  });
});
