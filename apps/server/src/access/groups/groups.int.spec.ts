import {
  type CreatedUser,
  type GroupMember,
  type GroupView,
  type Me,
  type MemberCandidates,
  type Page,
  type ProjectMember,
  type ProjectView,
  projectRoleSchema,
  type UserDetail,
} from '@medley/contracts';
import type { RestClient } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast, type Player } from '../../testing/cast.fixture.js';
import { problemFrom } from '../../testing/problem.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';

describe('groups and roles', () => {
  let server: TestServer;
  let admin: RestClient;
  let cast: Cast;
  let projectId: string;
  beforeAll(async () => {
    server = await startTestServer();
    admin = server.admin;
    cast = new Cast(server);
    projectId = await cast.project('shared');
  });
  afterAll(() => server.close());

  const group = (name: string, more: object = {}) => admin.post<GroupView>('/groups', { name, ...more });
  const put = (client: RestClient, body: object) =>
    client.request('PUT', `/projects/${projectId}/members`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const roleOf = async ({ client }: Player) => (await client.get<Me>('/me')).projects.find(({ id }) => id === projectId)?.role ?? null;

  it('give the strongest of what a user has by itself and by its groups, from the next call on', async () => {
    const player = await cast.player();
    const { id } = await group('engineers');
    expect(await roleOf(player)).toBeNull();
    await put(admin, { kind: 'user', principalId: player.id, role: 'viewer' });
    expect(await roleOf(player)).toBe('viewer');
    await put(admin, { kind: 'group', principalId: id, role: 'developer' });
    await admin.post(`/groups/${id}/members`, { userId: player.id });
    expect(await roleOf(player)).toBe('developer');
    const { roles } = await admin.get<UserDetail>(`/users/${player.id}`);
    expect(roles.map(({ role, group: by }) => [role, by])).toEqual([
      ['viewer', null],
      ['developer', 'engineers'],
    ]);
    await admin.delete(`/groups/${id}/members/${player.id}`);
    expect(await roleOf(player)).toBe('viewer');
    await admin.delete(`/groups/${id}`);
  });

  it('are changed by the admin of the project, who finds whom to add, and by no developer', async () => {
    const owner = await cast.player({ roles: { [projectId]: 'admin' } });
    const developer = await cast.player({ roles: { [projectId]: 'developer' } });
    const { items } = await owner.client.get<MemberCandidates>(`/projects/${projectId}/member-candidates?search=${developer.name}`);
    expect(items).toEqual([{ kind: 'user', id: developer.id, name: developer.name, displayName: '' }]);
    const answer = await put(owner.client, { kind: 'user', principalId: developer.id, role: 'operator' });
    const member = (await answer.json()) as ProjectMember;
    expect(member).toMatchObject({ role: 'operator', principal: { name: developer.name } });
    expect(await roleOf(developer)).toBe('operator');
    expect((await put(developer.client, { kind: 'user', principalId: developer.id, role: 'admin' })).status).toBe(403);
    const members = await developer.client.get<Page<ProjectMember>>(`/projects/${projectId}/members`);
    expect(members.items.map(({ id }) => id)).toContain(member.id);
    const sorted = async (query: string) => (await owner.client.get<Page<ProjectMember>>(`/projects/${projectId}/members?${query}`)).items;
    const byRole = (await sorted('sort=-role')).map(({ role }) => projectRoleSchema.options.indexOf(role));
    expect(new Set(byRole).size).toBeGreaterThan(1);
    expect(byRole).toEqual([...byRole].sort((a, b) => b - a));
    const byName = (await sorted('sort=name')).map(({ principal }) => principal.name.toLowerCase());
    expect(byName).toEqual([...byName].sort());
    expect((await sorted('sort=kind')).map(({ id }) => id)).toContain(member.id);
    expect((await sorted('sort=created')).at(-1)!.id).toBe(member.id);
    await owner.client.delete(`/projects/${projectId}/members/${member.id}`);
    expect(await problemFrom(developer.client.get(`/projects/${projectId}`))).toMatchObject({ status: 404 });
    expect((await put(owner.client, { kind: 'group', principalId: developer.id, role: 'viewer' })).status).toBe(404);
  });

  it('of platform administrators make their members such, and the last one stays', async () => {
    const player = await cast.player();
    const { id } = await group('root', { isPlatformAdmin: true });
    await admin.post(`/groups/${id}/members`, { userId: player.id });
    expect(await player.client.get<Me>('/me')).toMatchObject({ isAdmin: true });
    const { userId } = await admin.get<Me>('/me');
    await player.client.patch(`/users/${userId}`, { isAdmin: false });
    const attempts = [
      player.client.delete(`/groups/${id}`),
      player.client.delete(`/groups/${id}/members/${player.id}`),
      player.client.patch(`/groups/${id}`, { isPlatformAdmin: false }),
      player.client.patch(`/users/${player.id}`, { disabled: true }),
    ];
    expect((await Promise.all(attempts.map(problemFrom))).map(({ code }) => code)).toEqual(Array(4).fill('last-administrator'));
    await player.client.patch(`/users/${userId}`, { isAdmin: true });
    await admin.delete(`/groups/${id}`);
    expect(await player.client.get<Me>('/me')).toMatchObject({ isAdmin: false });
  });

  it('have names and external names of their own', async () => {
    const { id } = await group('Ops', { externalName: 'cn=ops' });
    expect(await problemFrom(group('ops'))).toMatchObject({ status: 409, code: 'name-taken' });
    expect(await problemFrom(group('other', { externalName: 'cn=ops' }))).toMatchObject({ status: 409, code: 'name-taken' });
    expect(await admin.patch<GroupView>(`/groups/${id}`, { description: 'on call' })).toMatchObject({
      name: 'Ops',
      description: 'on call',
      externalName: 'cn=ops',
    });
  });

  it('list their members in pages', async () => {
    const { id } = await group('many');
    const users = await Promise.all(['m-2', 'm-1', 'm-3'].map((name) => admin.post<CreatedUser>('/users', { name })));
    for (const user of users) await admin.post(`/groups/${id}/members`, { userId: user.id });
    const first = await admin.get<Page<GroupMember>>(`/groups/${id}/members?limit=2`);
    const second = await admin.get<Page<GroupMember>>(`/groups/${id}/members?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ name, sources }) => [name, sources])).toEqual(
      ['m-1', 'm-2', 'm-3'].map((name) => [name, ['manual']]),
    );
    expect(await admin.get(`/groups/${id}`)).toMatchObject({ memberCount: 3 });
  });

  it('stay with a renamed project, which files of the old name still mean', async () => {
    const owner = await cast.player({ roles: { [projectId]: 'admin' } });
    const apply = (project: string) => owner.client.apply(`medley: 1\nproject: ${project}\nworkflow: w\ntasks: { a: { run: "true" } }`);
    const { workflowId } = await apply('shared');
    await admin.patch<ProjectView>(`/projects/${projectId}`, { name: 'renamed' });
    expect(await owner.client.get<ProjectView>(`/projects/${projectId}`)).toMatchObject({
      name: 'renamed',
      formerNames: ['shared'],
      role: 'admin',
    });
    expect(await apply('shared')).toMatchObject({ workflowId, changed: false });
    expect(await apply('renamed')).toMatchObject({ workflowId });
    expect(await problemFrom(admin.post('/projects', { name: 'shared' }))).toMatchObject({
      code: 'name-taken',
      detail: expect.stringContaining('former name'),
    });
    await admin.patch(`/projects/${projectId}`, { name: 'shared' });
    expect(await admin.get<ProjectView>(`/projects/${projectId}`)).toMatchObject({ name: 'shared', formerNames: ['renamed'] });
  });

  it('let nobody apply a workflow to a project that they may not see, nor tell them that it is there', async () => {
    const outsider = await cast.player({ roles: { [await cast.project('elsewhere')]: 'developer' } });
    const apply = (project: string) =>
      problemFrom(outsider.client.apply(`medley: 1\nproject: ${project}\nworkflow: w\ntasks: { a: { run: "true" } }`));
    const [hidden, missing] = [await apply('shared'), await apply('missing')];
    expect(hidden).toMatchObject({ status: 404, code: 'not-found' });
    expect(hidden.detail.replace('shared', 'missing')).toBe(missing.detail);
  });
});
