import type { AuditEvent, AuditEventDetail, CreatedUser, GroupMember, GroupView, Page, UserDetail } from '@medley/contracts';
import { AppError } from '@medley/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../../testing/problem.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';
import type { ExternalIdentity } from './external-identity.js';
import { ExternalSignIn } from './external-sign-in.service.js';

const origin = { address: '192.0.2.1', userAgent: 'a browser', requestId: 'a-request' };

describe('a sign-in that another system vouches for', () => {
  let server: TestServer;
  let external: ExternalSignIn;
  beforeAll(async () => {
    server = await startTestServer();
    external = server.app.get(ExternalSignIn, { strict: false });
  });
  afterAll(() => server.close());

  const person = (subject: string, more: Partial<ExternalIdentity> = {}): ExternalIdentity => ({
    source: 'oidc',
    issuer: 'https://one.example',
    subject,
    userName: subject,
    displayName: null,
    email: null,
    groups: null,
    ...more,
  });
  const codeOf = (signIn: Promise<unknown>) =>
    signIn.then(
      () => null,
      (error) => (error as AppError).code,
    );
  const user = (id: string) => server.admin.get<UserDetail>(`/users/${id}`);

  it('makes the user at the first time and knows it by its subject, whatever it is called later', async () => {
    const { userId, token } = await external.signIn(
      person('s-1', { userName: 'anna', displayName: 'Anna', email: 'anna@example.org' }),
      origin,
    );
    const again = await external.signIn(person('s-1', { userName: 'anna.b', displayName: 'Anna B.' }), origin);
    expect(again.userId).toBe(userId);
    expect(again.token).not.toBe(token);
    expect(await user(userId)).toMatchObject({
      name: 'anna.b',
      displayName: 'Anna B.',
      email: 'anna@example.org',
      source: 'oidc',
      isPlatformAdmin: false,
    });
    const answer = await fetch(`${server.url}/api/v1/me`, { headers: { cookie: `medley_session=${token}` } });
    expect(await answer.json()).toMatchObject({ name: 'anna.b', via: 'session' });
  });

  it('takes the same subject of another provider for another person', async () => {
    const one = await external.signIn(person('s-31', { userName: 'one' }), origin);
    const other = await external.signIn(person('s-31', { userName: 'other', issuer: 'https://two.example' }), origin);
    expect(other.userId).not.toBe(one.userId);
    expect((await external.signIn(person('s-31', { userName: 'one' }), origin)).userId).toBe(one.userId);
  });

  it('gives a user of before issuers were written down to the first provider that vouches for it, and to no other', async () => {
    const { userId } = await external.signIn(person('s-41', { userName: 'old' }), origin);
    await server.source.query('update users set issuer = null where id = $1', [userId]);
    expect((await external.signIn(person('s-41', { userName: 'old' }), origin)).userId).toBe(userId);
    const other = await external.signIn(person('s-41', { userName: 'newer', issuer: 'https://two.example' }), origin);
    expect(other.userId).not.toBe(userId);
  });

  it('makes one user of two that come at once', async () => {
    const signIns = await Promise.all(Array.from({ length: 4 }, () => external.signIn(person('s-2'), origin)));
    expect(new Set(signIns.map(({ userId }) => userId)).size).toBe(1);
  });

  it('is refused for a name that a local user has, and for a user who is disabled here', async () => {
    expect(await codeOf(external.signIn(person('s-3', { userName: 'ADMIN' }), origin))).toBe('user-name-clash');
    const { userId } = await external.signIn(person('s-4'), origin);
    await server.admin.patch(`/users/${userId}`, { disabled: true });
    expect(await codeOf(external.signIn(person('s-4'), origin))).toBe('user-disabled');
  });

  it('keeps the old name when the new one is taken', async () => {
    const { userId } = await external.signIn(person('s-5'), origin);
    await external.signIn(person('s-5', { userName: 'admin' }), origin);
    expect(await user(userId)).toMatchObject({ name: 's-5' });
  });

  it('brings memberships of groups with an external name in line, and leaves those that were given by hand', async () => {
    const [staff, dev, manual] = await Promise.all(
      [
        { name: 'staff', externalName: 'g-staff' },
        { name: 'dev', externalName: 'g-dev' },
        { name: 'manual', externalName: 'g-manual' },
      ].map((body) => server.admin.post<GroupView>('/groups', body)),
    );
    const { userId } = await external.signIn(person('s-6', { groups: ['g-staff', 'g-dev', 'unknown'] }), origin);
    const groupsOf = async () => (await user(userId)).groups.map(({ name }) => name);
    expect(await groupsOf()).toEqual(['dev', 'staff']);
    await server.admin.post(`/groups/${manual!.id}/members`, { userId });
    await external.signIn(person('s-6', { groups: ['g-staff'] }), origin);
    expect(await groupsOf()).toEqual(['manual', 'staff']);
    await external.signIn(person('s-6'), origin);
    expect(await groupsOf()).toEqual(['manual', 'staff']);
    expect(await problemFrom(server.admin.delete(`/groups/${staff!.id}/members/${userId}`))).toMatchObject({ code: 'membership-managed' });
    await server.admin.patch(`/groups/${staff!.id}`, { externalName: null });
    expect(await groupsOf()).toEqual(['manual']);
    expect((await server.admin.get<Page<GroupMember>>(`/groups/${dev!.id}/members`)).items).toEqual([]);
  });

  it('does not take the last platform administrator away', async () => {
    await server.admin.post('/groups', { name: 'root', externalName: 'g-root', isPlatformAdmin: true });
    const { userId } = await external.signIn(person('s-7', { groups: ['g-root'] }), origin);
    expect(await user(userId)).toMatchObject({ isPlatformAdmin: true });
    await server.source.query(`update users set is_admin = false where name = 'admin'`);
    await external.signIn(person('s-7', { groups: [] }), origin);
    await server.source.query(`update users set is_admin = true where name = 'admin'`);
    expect(await user(userId)).toMatchObject({ isPlatformAdmin: true });
    await external.signIn(person('s-7', { groups: [] }), origin);
    expect(await user(userId)).toMatchObject({ isPlatformAdmin: false });
  });

  it('leaves in the audit whom it made, what it changed and which memberships it gave and took, by the user itself, and nothing that stayed', async () => {
    const group = await server.admin.post<GroupView>('/groups', { name: 'audited', externalName: 'g-audited' });
    const { userId } = await external.signIn(person('s-9', { displayName: 'Nine', groups: ['g-audited'] }), origin);
    const recorded = async () => {
      const { items } = await server.admin.get<Page<AuditEvent>>(`/audit?userId=${userId}`);
      return Promise.all(items.reverse().map(({ id }) => server.admin.get<AuditEventDetail>(`/audit/${id}`)));
    };
    const actor = { kind: 'user', userId, name: 's-9' };
    const done = { actor, outcome: 'succeeded', address: origin.address, requestId: origin.requestId, finishedAt: expect.any(String) };
    const first = await recorded();
    expect(first).toMatchObject([
      { ...done, action: 'createUser', entityType: 'user', entityId: userId, before: null },
      { ...done, action: 'addGroupMember', entityType: 'group', entityId: group.id, entityName: 'audited' },
      { ...done, action: 'finishOidcSignIn', entityType: 'user', entityId: userId, after: { method: 'oidc' } },
    ]);
    expect(first[0]!.after).toMatchObject({ name: 's-9', displayName: 'Nine', source: 'oidc', isAdmin: false, toldBy: 'oidc' });
    expect(first[1]).toMatchObject({
      before: { member: null, sources: [] },
      after: { member: 's-9', sources: ['directory'], toldBy: 'oidc' },
    });
    await external.signIn(person('s-9', { displayName: 'Nine', groups: ['g-audited'] }), origin);
    expect((await recorded()).slice(3).map(({ action }) => action)).toEqual(['finishOidcSignIn']);
    await external.signIn(person('s-9', { displayName: 'No. 9', groups: [] }), origin);
    expect((await recorded()).slice(4)).toMatchObject([
      { ...done, action: 'patchUser', before: { displayName: 'Nine' }, after: { displayName: 'No. 9', toldBy: 'oidc' } },
      {
        ...done,
        action: 'removeGroupMember',
        entityId: group.id,
        before: { member: 's-9', sources: ['directory'] },
        after: { member: null },
      },
      { action: 'finishOidcSignIn' },
    ]);
  });

  it('leaves nothing in the audit of what was undone with the sign-in', async () => {
    expect(await codeOf(external.signIn(person('s-10', { userName: 'admin' }), { ...origin, requestId: 'undone' }))).toBe(
      'user-name-clash',
    );
    expect(await server.source.query(`select action from audit_events where request_id = 'undone'`)).toEqual([]);
  });

  it('has a password that is not kept here', async () => {
    const { userId } = await external.signIn(person('s-8'), origin);
    expect(await problemFrom(server.admin.post(`/users/${userId}/password`, {}))).toMatchObject({ status: 409, code: 'user-not-local' });
    const local = await server.admin.post<CreatedUser>('/users', { name: 'local' });
    expect(local.source).toBe('local');
  });
});
