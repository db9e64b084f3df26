import type { AuditEvent, AuditEventDetail, GroupView, Me, Page, SignInMethods, UserView } from '@medley/contracts';
import { anonymous, DirectoryServer, type RestClient, signIn } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../../testing/problem.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';

describe('sign-in with the password of a directory', () => {
  let directory: DirectoryServer;
  let server: TestServer;
  beforeAll(async () => {
    directory = await DirectoryServer.start({
      people: [
        { uid: 'ada', password: 'lovelace', name: 'Ada Lovelace', email: 'ada@example.org' },
        { uid: 'admin', password: 'of the directory', name: 'Another admin' },
        { uid: 'grace', password: 'hopper', name: 'Grace Hopper' },
      ],
      groups: { staff: ['ada'] },
    });
    server = await startTestServer(directory.serverEnv);
  });
  afterAll(async () => {
    await server?.close();
    await directory?.remove();
  });

  const countedFailures = async () => {
    const [row] = (await server.source.query('select coalesce(sum(failures), 0)::int as sum from sign_in_failures')) as { sum: number }[];
    return row!.sum;
  };
  const me = (client: RestClient) => client.get<Me>('/me');

  it('is told to the login page', async () => {
    const methods = await anonymous(server.url).get<SignInMethods>('/sign-in/methods');
    expect(methods).toEqual({ password: true, ldap: { displayName: 'Test directory' }, oidc: null });
  });

  it('makes the user, and puts it into the groups that have the names of its groups there', async () => {
    const group = await server.admin.post<GroupView>('/groups', { name: 'Staff of Medley', externalName: 'staff' });
    const ada = await me(await signIn(server.url, 'ada', 'lovelace'));
    expect(ada).toMatchObject({ name: 'ada', displayName: 'Ada Lovelace', email: 'ada@example.org', source: 'ldap', isAdmin: false });
    const { items } = await server.admin.get<{ items: { userId: string; sources: string[] }[] }>(`/groups/${group.id}/members`);
    expect(items).toMatchObject([{ userId: ada.userId, sources: ['directory'] }]);
  });

  it('is recorded with its method and address, as is the sign-in of a local user', async () => {
    const signedIn = async (name: string, password: string) => {
      const { userId } = await me(await signIn(server.url, name, password));
      const { items } = await server.admin.get<Page<AuditEvent>>(`/audit?action=login&userId=${userId}`);
      return server.admin.get<AuditEventDetail>(`/audit/${items[0]!.id}`);
    };
    const done = { outcome: 'succeeded', entityType: 'user', address: '127.0.0.1', before: null };
    const actor = { kind: 'user', via: 'session', credentialId: expect.any(String) };
    expect(await signedIn('ada', 'lovelace')).toMatchObject({ ...done, actor: { ...actor, name: 'ada' }, after: { method: 'ldap' } });
    expect(await signedIn('admin', server.credentials.adminPassword)).toMatchObject({
      ...done,
      actor: { ...actor, name: 'admin' },
      after: { method: 'password' },
    });
  });

  it('stores no password of the directory', async () => {
    await signIn(server.url, 'ada', 'lovelace');
    const [row] = (await server.source.query(`select password_hash from users where name = 'ada'`)) as unknown[];
    expect(row).toEqual({ password_hash: null });
  });

  it.each([
    ['ada', 'wrong'],
    ['ada', ' '],
    ['nobody', 'lovelace'],
    ['*', 'lovelace'],
    ['ada)(objectClass=*', 'lovelace'],
  ])('refuses %j with %j as it refuses any wrong password', async (name, password) => {
    expect(await problemFrom(signIn(server.url, name, password))).toMatchObject({ status: 401, code: 'login-failed' });
  });

  it('refuses an empty password', async () => {
    expect(await problemFrom(signIn(server.url, 'ada', ''))).toMatchObject({ status: 400, code: 'validation-failed' });
  });

  it('leaves the name of a local user to that user', async () => {
    expect(await problemFrom(signIn(server.url, 'admin', 'of the directory'))).toMatchObject({ code: 'login-failed' });
    expect(await me(await signIn(server.url, 'admin', server.credentials.adminPassword))).toMatchObject({ source: 'local', isAdmin: true });
  });

  it('is refused to a user that is disabled', async () => {
    const { userId } = await me(await signIn(server.url, 'grace', 'hopper'));
    await server.admin.patch<UserView>(`/users/${userId}`, { disabled: true });
    expect(await problemFrom(signIn(server.url, 'grace', 'hopper'))).toMatchObject({ code: 'user-disabled' });
  });

  it('locks a name after ten failures, the right password included', async () => {
    for (let failure = 0; failure < 10; failure++) await problemFrom(signIn(server.url, 'grace', `guess ${failure}`));
    expect(await problemFrom(signIn(server.url, 'grace', 'hopper'))).toMatchObject({ status: 429, code: 'too-many-requests' });
  });

  it('is unavailable while the directory is down, which locks nobody, and local users still sign in', async () => {
    const counted = await countedFailures();
    await directory.stop();
    const problem = await problemFrom(signIn(server.url, 'ada', 'lovelace'));
    expect(problem).toMatchObject({ status: 503, code: 'directory-unavailable' });
    expect(problem.detail).toContain('password of their own can still sign in');
    expect(await countedFailures()).toBe(counted);
    await expect(signIn(server.url, 'admin', server.credentials.adminPassword)).resolves.toBeDefined();
    await directory.start();
    await expect(signIn(server.url, 'ada', 'lovelace')).resolves.toBeDefined();
  });
});
