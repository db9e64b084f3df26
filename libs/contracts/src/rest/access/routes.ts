import { pageQuerySchema } from '../paging.js';
import type { RestRoute } from '../route.js';
import {
  apiTokenPageSchema,
  createApiTokenSchema,
  createdApiTokenSchema,
  ownedApiTokenPageSchema,
  ownedTokenQuerySchema,
  tokenQuerySchema,
} from './api-tokens.js';
import {
  addGroupMemberSchema,
  createGroupSchema,
  groupMemberPageSchema,
  groupMemberSchema,
  groupPageSchema,
  groupQuerySchema,
  groupViewSchema,
  patchGroupSchema,
} from './groups.js';
import { createdJoinTokenSchema, createJoinTokenSchema, joinTokenPageSchema, joinTokenQuerySchema } from './join-tokens.js';
import {
  endedCredentialsSchema,
  ownedSessionPageSchema,
  ownedSessionQuerySchema,
  sessionPageSchema,
  sessionQuerySchema,
} from './sessions.js';
import { changePasswordSchema, loginRequestSchema, meSchema } from './sign-in.js';
import {
  changeUsersSchema,
  createdUserSchema,
  createUserSchema,
  patchUserSchema,
  resetPasswordAnswerSchema,
  resetPasswordSchema,
  userDetailSchema,
  userImpactSchema,
  userPageSchema,
  userQuerySchema,
  usersChangeSchema,
} from './users.js';

const own = {
  login: {
    method: 'POST',
    path: '/login',
    summary: 'Sign in; sets the session cookie',
    body: loginRequestSchema,
    answer: meSchema,
    open: true,
  },
  logout: { method: 'POST', path: '/logout', summary: 'End the session', status: 204 },
  me: { method: 'GET', path: '/me', summary: 'Who is signed in, and what it may do in each project', answer: meSchema },
  changePassword: {
    method: 'POST',
    path: '/me/password',
    summary: 'Change the own password; other sessions and all API tokens of the caller end',
    body: changePasswordSchema,
    answer: endedCredentialsSchema,
  },
  listOwnSessions: {
    method: 'GET',
    path: '/me/sessions',
    summary: 'Own sessions, the newest first unless another order is asked for',
    query: sessionQuerySchema,
    answer: sessionPageSchema,
  },
  endOwnSession: { method: 'DELETE', path: '/me/sessions/:id', summary: 'End an own session', status: 204 },
  listTokens: { method: 'GET', path: '/tokens', summary: 'API tokens of the caller', query: tokenQuerySchema, answer: apiTokenPageSchema },
  createToken: {
    method: 'POST',
    path: '/tokens',
    summary: 'Create an API token; it is shown once',
    body: createApiTokenSchema,
    answer: createdApiTokenSchema,
    status: 201,
    repeatable: true,
  },
  revokeToken: { method: 'DELETE', path: '/tokens/:id', summary: 'Revoke an own API token', status: 204 },
} as const satisfies Record<string, RestRoute>;

const users = {
  listUsers: {
    method: 'GET',
    path: '/users',
    summary: 'Users, by name unless another order is asked for',
    query: userQuerySchema,
    answer: userPageSchema,
  },
  createUser: {
    method: 'POST',
    path: '/users',
    summary: 'Create a user; a generated password is shown once',
    body: createUserSchema,
    answer: createdUserSchema,
    status: 201,
    repeatable: true,
  },
  getUser: { method: 'GET', path: '/users/:id', summary: 'A user and its roles', answer: userDetailSchema },
  patchUser: {
    method: 'PATCH',
    path: '/users/:id',
    summary: 'Change, disable or enable a user',
    body: patchUserSchema,
    answer: userDetailSchema,
  },
  changeUsers: {
    method: 'POST',
    path: '/users/changes',
    summary: 'Disable or enable many users at once; `dryRun` counts what it would hit',
    body: changeUsersSchema,
    answer: usersChangeSchema,
  },
  resetPassword: {
    method: 'POST',
    path: '/users/:id/password',
    summary: "Set a user's password, or generate one; its sessions and API tokens end",
    body: resetPasswordSchema,
    answer: resetPasswordAnswerSchema,
  },
  unlockUser: { method: 'POST', path: '/users/:id/unlock', summary: 'Forget failed sign-ins', answer: userDetailSchema },
  getUserImpact: { method: 'GET', path: '/users/:id/impact', summary: 'What goes with a user', answer: userImpactSchema },
  removeUser: { method: 'DELETE', path: '/users/:id', summary: 'Remove a user; tells what went with it', answer: userImpactSchema },
  endUserSessions: {
    method: 'DELETE',
    path: '/users/:id/sessions',
    summary: "End all of a user's sessions",
    answer: endedCredentialsSchema,
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'Sessions of everyone, the newest first unless another order is asked for',
    query: ownedSessionQuerySchema,
    answer: ownedSessionPageSchema,
  },
  endSession: { method: 'DELETE', path: '/sessions/:id', summary: 'End a session', status: 204 },
  listAllTokens: {
    method: 'GET',
    path: '/all-tokens',
    summary: 'API tokens of everyone, the newest first unless another order is asked for',
    query: ownedTokenQuerySchema,
    answer: ownedApiTokenPageSchema,
  },
  revokeAnyToken: { method: 'DELETE', path: '/all-tokens/:id', summary: "Revoke anyone's API token", status: 204 },
} as const satisfies Record<string, RestRoute>;

const groups = {
  listGroups: {
    method: 'GET',
    path: '/groups',
    summary: 'Groups, by name unless another order is asked for',
    query: groupQuerySchema,
    answer: groupPageSchema,
  },
  createGroup: {
    method: 'POST',
    path: '/groups',
    summary: 'Create a group',
    body: createGroupSchema,
    answer: groupViewSchema,
    status: 201,
    repeatable: true,
  },
  getGroup: { method: 'GET', path: '/groups/:id', summary: 'A group', answer: groupViewSchema },
  patchGroup: { method: 'PATCH', path: '/groups/:id', summary: 'Change a group', body: patchGroupSchema, answer: groupViewSchema },
  removeGroup: { method: 'DELETE', path: '/groups/:id', summary: 'Remove a group and the roles it gives', status: 204 },
  listGroupMembers: {
    method: 'GET',
    path: '/groups/:id/members',
    summary: 'Members of a group by name',
    query: pageQuerySchema,
    answer: groupMemberPageSchema,
  },
  addGroupMember: {
    method: 'POST',
    path: '/groups/:id/members',
    summary: 'Add a user to a group; once more changes nothing',
    body: addGroupMemberSchema,
    answer: groupMemberSchema,
  },
  removeGroupMember: { method: 'DELETE', path: '/groups/:id/members/:userId', summary: 'Take a user out of a group', status: 204 },
} as const satisfies Record<string, RestRoute>;

const joinTokens = {
  listJoinTokens: {
    method: 'GET',
    path: '/join-tokens',
    summary: 'Join tokens for agents',
    query: joinTokenQuerySchema,
    answer: joinTokenPageSchema,
  },
  createJoinToken: {
    method: 'POST',
    path: '/join-tokens',
    summary: 'Create a join token; it is shown once',
    body: createJoinTokenSchema,
    answer: createdJoinTokenSchema,
    status: 201,
    repeatable: true,
  },
  revokeJoinToken: { method: 'DELETE', path: '/join-tokens/:id', summary: 'Revoke a join token', status: 204 },
} as const satisfies Record<string, RestRoute>;

export const accessRoutes = { ...own, ...users, ...groups, ...joinTokens };
