import type { AuditRule } from '../audit-rule.js';
import { inAnswer, inBulk, inPath, inRequest } from '../audit-rule.js';

/** A user as changes of it are recorded. */
export const userState = `select id, name, null as "projectId", jsonb_build_object('name', name, 'displayName', display_name, 'email', email, 'source', source,
  'isAdmin', is_admin, 'mustChangePassword', must_change_password, 'disabled', disabled_at is not null) as state
from users where id = $1 and removed_at is null`;

const group = `select id, name, null as "projectId", jsonb_build_object('name', name, 'description', description, 'externalName', external_name,
  'isPlatformAdmin', is_platform_admin) as state
from groups where id = $1`;

const groupMember = `select g.id, g.name, null as "projectId", jsonb_build_object('member', (select u.name from users u
  where u.id = $2 and exists (select 1 from group_members m where m.group_id = g.id and m.user_id = u.id))) as state
from groups g where g.id = $1`;

const memberColumns = `b.id, coalesce(u.name, g.name) as name, b.project_id as "projectId",
  jsonb_build_object('kind', case when b.user_id is null then 'group' else 'user' end, 'principal', coalesce(u.name, g.name), 'role', b.role) as state
from role_bindings b left join users u on u.id = b.user_id left join groups g on g.id = b.group_id`;
const member = `select ${memberColumns} where b.project_id = $1 and b.id = $2`;
const memberOf = `select ${memberColumns} where b.project_id = $1 and $2 in (b.user_id, b.group_id)`;

const apiToken = `select t.id, t.name, t.project_id as "projectId", jsonb_build_object('name', t.name, 'owner', u.name, 'scopes', to_jsonb(t.scopes),
  'project', (select p.name from projects p where p.id = t.project_id), 'expiresAt', t.expires_at, 'revoked', t.revoked_at is not null) as state
from api_tokens t join users u on u.id = t.user_id where t.id = $1`;

const joinToken = `select j.id, p.name, null as "projectId", jsonb_build_object('pool', p.name, 'labels', j.labels, 'declaredSpeed', j.declared_speed,
  'capacityCap', j.capacity_cap, 'maxUses', j.max_uses, 'expiresAt', j.expires_at, 'revoked', j.revoked_at is not null) as state
from join_tokens j join pools p on p.id = j.pool_id where j.id = $1`;

const session = `select s.id, u.name, null as "projectId", jsonb_build_object('user', u.name, 'address', s.address, 'userAgent', s.user_agent,
  'createdAt', s.created_at) as state
from sessions s join users u on u.id = s.user_id where s.id = $1`;

const project = `select id, name, id as "projectId", jsonb_build_object('name', name, 'formerNames', to_jsonb(former_names)) as state
from projects where id = $1 and removed_at is null`;

/** A password is set, and nothing but that is told. */
const passwordSet = () => ({ state: { password: 'set' } });

export const accessRules = {
  changePassword: { entity: 'user', read: inRequest(userState, ({ callerId }) => [callerId]), tell: passwordSet },
  endOwnSession: { entity: 'session', read: inPath(session) },
  createToken: { entity: 'api-token', read: inAnswer(apiToken) },
  revokeToken: { entity: 'api-token', read: inPath(apiToken) },
  createUser: { entity: 'user', read: inAnswer(userState) },
  changeUsers: inBulk('user'),
  patchUser: { entity: 'user', read: inPath(userState) },
  resetPassword: { entity: 'user', read: inPath(userState), tell: passwordSet },
  unlockUser: { entity: 'user', read: inPath(userState), tell: () => ({ state: { failedSignIns: 'forgotten' } }) },
  removeUser: { entity: 'user', read: inPath(userState) },
  endUserSessions: { entity: 'user', read: inPath(userState), tell: (_, answer) => ({ state: { endedSessions: answer.sessions } }) },
  endSession: { entity: 'session', read: inPath(session) },
  revokeAnyToken: { entity: 'api-token', read: inPath(apiToken) },
  createGroup: { entity: 'group', read: inAnswer(group) },
  patchGroup: { entity: 'group', read: inPath(group) },
  removeGroup: { entity: 'group', read: inPath(group) },
  addGroupMember: { entity: 'group', read: inRequest(groupMember, ({ params, body }) => [params.id, body.userId]) },
  removeGroupMember: { entity: 'group', read: inPath(groupMember, 'id', 'userId') },
  createJoinToken: { entity: 'join-token', read: inAnswer(joinToken) },
  revokeJoinToken: { entity: 'join-token', read: inPath(joinToken) },
  createProject: { entity: 'project', read: inAnswer(project) },
  patchProject: { entity: 'project', read: inPath(project) },
  removeProject: { entity: 'project', read: inPath(project) },
  putProjectMember: { entity: 'member', read: inRequest(memberOf, ({ params, body }) => [params.id, body.principalId]) },
  removeProjectMember: { entity: 'member', read: inPath(member, 'id', 'memberId') },
} as const satisfies Record<string, AuditRule>;
