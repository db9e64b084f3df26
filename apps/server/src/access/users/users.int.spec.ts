import type {
  CreatedApiToken,
  CreatedUser,
  EndedCredentials,
  Me,
  OwnedSession,
  Page,
  ResetPasswordAnswer,
  SessionView,
  UserDetail,
  UserView,
} from '@medley/contracts';
import { type RestClient, signIn, waitFor, withToken } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesOfLast } from '../../testing/audited-changes.js';
import { Cast } from '../../testing/cast.fixture.js';
import { problemFrom } from '../../testing/problem.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';

const GOOD = 'correct horse battery';
const BETTER = 'staple correct horse';

describe('users', () => {
  let server: TestServer;
  let admin: RestClient;
  beforeAll(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  afterAll(() => server.close());

  const create = (name: string, more: object = {}) => admin.post<CreatedUser>('/users', { name, ...more });
  /** One who has a password of its own already. */
  const settled = (name: string, more: object = {}) => create(name, { password: GOOD, mustChangePassword: false, ...more });
  const tokenOf = (client: RestClient) => client.post<CreatedApiToken>('/tokens', { name: 'ci', scopes: ['admin'] });
  const adminId = async () => (await admin.get<Me>('/me')).userId;

  it('get a generated password, shown once and good for nothing but setting an own one', async () => {
    const created = await create('anna', { displayName: 'Anna A.', email: 'anna@example.org' });
    expect(created).toMatchObject({
      password: expect.stringMatching(/^\w{20}$/),
      mustChangePassword: true,
      source: 'local',
      isPlatformAdmin: false,
    });
    const anna = await signIn(server.url, 'anna', created.password!);
    expect(await problemFrom(anna.get('/workflows'))).toMatchObject({ status: 403, code: 'password-change-required' });
    expect(await anna.get<Me>('/me')).toMatchObject({ mustChangePassword: true, email: 'anna@example.org' });
    await anna.post('/me/password', { currentPassword: created.password, newPassword: GOOD });
    await expect(anna.get('/workflows')).resolves.toMatchObject({ items: [] });
    await expect(signIn(server.url, 'anna', GOOD)).resolves.toBeDefined();
    expect(await problemFrom(signIn(server.url, 'anna', created.password!))).toMatchObject({ code: 'login-failed' });
    expect(JSON.stringify(await admin.get(`/users/${created.id}`))).not.toContain('password":"');
  });

  it('have one name each, whatever its case, and passwords that are not easy', async () => {
    await settled('berta');
    expect(await problemFrom(create('BERTA'))).toMatchObject({ status: 409, code: 'name-taken' });
    expect(await problemFrom(create('carla', { password: 'short' }))).toMatchObject({
      status: 400,
      code: 'password-weak',
      fields: [{ path: 'password' }],
    });
    expect(await problemFrom(create('dora-dora', { password: 'dora-dora-1234' }))).toMatchObject({ code: 'password-weak' });
    await expect(signIn(server.url, 'Berta', GOOD)).resolves.toBeDefined();
  });

  it('are found by part of their name, in pages, whatever its case', async () => {
    for (const name of ['Page-3', 'page-1', 'page-2']) await settled(name);
    const first = await admin.get<Page<UserView>>('/users?search=PAGE-&limit=2');
    const second = await admin.get<Page<UserView>>(`/users?search=PAGE-&limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['page-1', 'page-2', 'Page-3']);
    expect(second.nextCursor).toBeNull();
  });

  it('that change their password keep this session alone, and lose their API tokens', async () => {
    await settled('emil');
    const here = await signIn(server.url, 'emil', GOOD);
    const there = await signIn(server.url, 'emil', GOOD);
    const { token } = await tokenOf(here);
    expect(await problemFrom(here.post('/me/password', { currentPassword: 'not it at all', newPassword: BETTER }))).toMatchObject({
      code: 'password-wrong',
    });
    expect(await problemFrom(here.post('/me/password', { currentPassword: GOOD, newPassword: GOOD }))).toMatchObject({
      code: 'password-weak',
    });
    const ended = await here.post<EndedCredentials>('/me/password', { currentPassword: GOOD, newPassword: BETTER });
    expect(ended).toEqual({ sessions: 1, apiTokens: 1 });
    await expect(here.get('/me')).resolves.toBeDefined();
    expect(await problemFrom(there.get('/me'))).toMatchObject({ status: 401 });
    expect(await problemFrom(withToken(server.url, token).get('/me'))).toMatchObject({ status: 401, code: 'token-invalid' });
  });

  it('whose password an administrator sets are signed out everywhere', async () => {
    const { id } = await settled('fritz');
    const fritz = await signIn(server.url, 'fritz', GOOD);
    const { password } = await admin.post<ResetPasswordAnswer>(`/users/${id}/password`, {});
    expect(await problemFrom(fritz.get('/me'))).toMatchObject({ status: 401 });
    expect(await (await signIn(server.url, 'fritz', password!)).get<Me>('/me')).toMatchObject({ mustChangePassword: true });
  });

  it('that are disabled are out at once, and back with their tokens when they are enabled', async () => {
    const { id } = await settled('gustav');
    const gustav = await signIn(server.url, 'gustav', GOOD);
    const byToken = withToken(server.url, (await tokenOf(gustav)).token);
    expect(await admin.patch<UserDetail>(`/users/${id}`, { disabled: true })).toMatchObject({ disabledAt: expect.any(String) });
    expect(await problemFrom(gustav.get('/me'))).toMatchObject({ status: 401 });
    expect(await problemFrom(byToken.get('/me'))).toMatchObject({ status: 401 });
    expect(await problemFrom(signIn(server.url, 'gustav', GOOD))).toMatchObject({ code: 'login-failed' });
    await admin.patch(`/users/${id}`, { disabled: false });
    await expect(byToken.get('/me')).resolves.toMatchObject({ name: 'gustav' });
    expect(await problemFrom(gustav.get('/me'))).toMatchObject({ status: 401 });
  });

  it('are removed with what they hold, tell what that is, and free their name', async () => {
    const { id } = await settled('hanna');
    const hanna = await signIn(server.url, 'hanna', GOOD);
    await tokenOf(hanna);
    const impact = { sessions: 1, apiTokens: 1, groups: 0, roles: 0 };
    expect(await admin.get(`/users/${id}/impact`)).toEqual(impact);
    expect(await admin.delete(`/users/${id}`)).toEqual(impact);
    expect(await problemFrom(hanna.get('/me'))).toMatchObject({ status: 401 });
    expect(await problemFrom(admin.get(`/users/${id}`))).toMatchObject({ status: 404 });
    expect((await settled('hanna')).id).not.toBe(id);
  });

  it('see their sessions and end one, administrators see and end those of all', async () => {
    const { id } = await settled('ida');
    const here = await signIn(server.url, 'ida', GOOD);
    const there = await signIn(server.url, 'ida', GOOD);
    const { items } = await here.get<Page<SessionView>>('/me/sessions');
    expect(items.map(({ isCurrent, address }) => [isCurrent, address])).toEqual([
      [false, '127.0.0.1'],
      [true, '127.0.0.1'],
    ]);
    expect(await problemFrom(admin.delete(`/me/sessions/${items[0]!.id}`))).toMatchObject({ status: 404 });
    await here.delete(`/me/sessions/${items[0]!.id}`);
    expect(await problemFrom(there.get('/me'))).toMatchObject({ status: 401 });
    const all = await admin.get<Page<OwnedSession>>(`/sessions?userId=${id}`);
    expect(all.items).toMatchObject([{ user: 'ida', isCurrent: false }]);
    expect(await admin.delete(`/users/${id}/sessions`)).toEqual({ sessions: 1, apiTokens: 0 });
    expect(await problemFrom(here.get('/me'))).toMatchObject({ status: 401 });
  });

  it('have tokens that administrators list and revoke', async () => {
    const { id } = await settled('jakob');
    const jakob = await signIn(server.url, 'jakob', GOOD);
    const { id: tokenId, token } = await tokenOf(jakob);
    const listed = await admin.get<Page<{ id: string; user: string }>>(`/all-tokens?userId=${id}`);
    expect(listed.items).toMatchObject([{ id: tokenId, user: 'jakob', projectId: null, revokedAt: null }]);
    expect(JSON.stringify(listed)).not.toContain(token);
    await admin.delete(`/all-tokens/${tokenId}`);
    expect(await problemFrom(withToken(server.url, token).get('/me'))).toMatchObject({ code: 'token-invalid' });
  });

  it('make no token that reaches further than they do themselves', async () => {
    const cast = new Cast(server);
    const [own, hidden] = [await cast.project('own'), await cast.project('hidden')];
    const player = await cast.player({ roles: { [own]: 'operator' } });
    const post = (client: RestClient, more: object) => client.post<CreatedApiToken>('/tokens', { name: 'x', scopes: ['admin'], ...more });
    expect(await problemFrom(post(player.client, { projectId: hidden }))).toMatchObject({ status: 404 });
    const { token, project } = await post(player.client, { projectId: own });
    expect(project).toBe('own');
    const narrow = withToken(server.url, token);
    expect(await post(narrow, {})).toMatchObject({ projectId: own });
    expect(await problemFrom(post(await cast.tokenOf(player.id, ['write']), {}))).toMatchObject({ status: 403 });
    expect((await narrow.get<Me>('/me')).projects.map(({ name }) => name)).toEqual(['own']);
  });

  it('leave a platform administrator behind, whoever goes', async () => {
    const id = await adminId();
    const refusals = await Promise.all(
      [admin.patch(`/users/${id}`, { disabled: true }), admin.patch(`/users/${id}`, { isAdmin: false }), admin.delete(`/users/${id}`)].map(
        problemFrom,
      ),
    );
    expect(refusals.map(({ status, code }) => [status, code])).toEqual(Array(3).fill([409, 'last-administrator']));
    await expect(admin.get<Me>('/me')).resolves.toMatchObject({ isAdmin: true });
  });

  it('of two administrators who demote each other at once, one stays', async () => {
    const { id } = await settled('konrad', { isAdmin: true });
    const konrad = await signIn(server.url, 'konrad', GOOD);
    const own = await adminId();
    // Both are held until both have begun, so that neither sees what the other has done.
    const holder = server.source.createQueryRunner();
    await holder.startTransaction();
    await holder.query('select 1 from users where id = any($1) for update', [[id, own]]);
    const demoting = Promise.allSettled([
      admin.patch(`/users/${id}`, { isAdmin: false }),
      konrad.patch(`/users/${own}`, { isAdmin: false }),
    ]);
    await waitFor(async () => {
      const [row] = await server.source.query(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row.count >= 2;
    });
    await holder.commitTransaction();
    await holder.release();
    const demotions = await demoting;
    const admins = (await server.source.query('select name from users where is_admin and removed_at is null')) as { name: string }[];
    expect(admins).toHaveLength(1);
    expect(demotions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await server.source.query(`update users set is_admin = (name = 'admin') where name in ('admin', 'konrad')`);
  });

  it('are disabled and enabled many at once after counting them: sessions end, each is in the audit, the own account stays', async () => {
    for (const name of ['crew-1', 'crew-2']) await settled(name, { email: `${name}@crew.example` });
    const signedIn = await signIn(server.url, 'crew-1', GOOD);
    const change = { filter: { search: 'crew' }, disabled: true };
    const counted = await admin.post('/users/changes', { ...change, dryRun: true });
    expect(counted).toEqual({ dryRun: true, found: 2, changed: 2, sessions: 1, refused: [] });
    expect(await problemFrom(admin.post('/users/changes', { ...change, expected: 1 }))).toMatchObject({ code: 'stale-version' });
    await expect(signedIn.get('/me')).resolves.toBeDefined();
    expect(await admin.post('/users/changes', { ...change, expected: 2 })).toMatchObject({ dryRun: false, changed: 2, sessions: 1 });
    expect(await problemFrom(signedIn.get('/me'))).toMatchObject({ status: 401 });
    const { items } = await admin.get<Page<{ entityName: string | null; action: string }>>('/audit?entityType=user&limit=3');
    expect(items.map(({ action, entityName }) => [action, entityName])).toEqual(
      expect.arrayContaining([
        ['patchUser', 'crew-1'],
        ['patchUser', 'crew-2'],
        ['changeUsers', null],
      ]),
    );
    const disabled = [{ disabled: false }, { disabled: true }];
    expect(await changesOfLast(admin, 'changeUsers', 'user')).toEqual([
      ['crew-1', ...disabled],
      ['crew-2', ...disabled],
    ]);
    const own = await admin.post('/users/changes', { filter: { search: 'admin' }, disabled: true });
    expect(own).toMatchObject({ changed: 0, refused: [{ name: 'admin', code: 'own-account-stays' }] });
    expect(await admin.post('/users/changes', { filter: { search: 'crew' }, disabled: false })).toMatchObject({ changed: 2, sessions: 0 });
    await expect(signIn(server.url, 'crew-2', GOOD)).resolves.toBeDefined();
  });
});
