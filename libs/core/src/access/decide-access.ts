import { type Phrase, type PhraseValue, phrase } from '../phrases/index.js';
import { isProjectPermission, leastRoleFor, type Permission, permissions, permissionTable, scopeCovers } from './permissions.js';
import type { ProjectRole, TokenScope } from './roles.js';

/** What someone may be asked for: the user's rights as they are now, and what a token passes on of them. */
export interface Rights {
  isPlatformAdmin: boolean;
  /** The user's strongest role in each project. */
  roles: ReadonlyMap<string, ProjectRole>;
  scopes: readonly TokenScope[];
  /** Every project there is, which a platform administrator sees; null while none has ever been removed, so that lists need no condition. */
  existingProjects: readonly string[] | null;
  /** The only project a token is good for; null for a session and for a token of all projects. */
  tokenProjectId: string | null;
}

/** `hidden`: not even the project may be seen, so that its things answer as missing ones do. */
export type AccessDecision = { allowed: true } | { allowed: false; hidden: boolean; reason: Phrase };

const allowed: AccessDecision = { allowed: true };

/** Whether a permission holds in a project. The right of a token is the least of its scope, its project and the user's role. */
export function decideInProject(rights: Rights, permission: Permission, projectId: string): AccessDecision {
  if (!isVisible(rights, projectId)) return { allowed: false, hidden: true, reason: phrase('not-own-project') };
  const role = rights.roles.get(projectId) ?? null;
  const row = permissionTable[permission];
  if (!rights.isPlatformAdmin && !(role && row[role])) return refuse(permission, whoGives(permission, role));
  return byScope(rights, permission);
}

/** Whether a permission holds on the platform, outside any project. A token of one project passes on nothing that only a platform administrator has. */
export function decideOnPlatform(rights: Rights, permission: Permission): AccessDecision {
  const row = permissionTable[permission];
  if (!row['signed-in']) {
    if (!rights.isPlatformAdmin) return refuse(permission, phrase('given-by-platform'));
    if (rights.tokenProjectId) return refuse(permission, phrase('token-of-one-project'));
  }
  return byScope(rights, permission);
}

/** Whether a list may be asked for, which then holds visible projects only. */
export function decideAnywhere(rights: Rights, permission: Permission): AccessDecision {
  return byScope(rights, permission);
}

/** The projects in which a permission holds; null means all of them. */
export function projectsWith(rights: Rights, permission: Permission): readonly string[] | null {
  if (!scopeCovers(rights.scopes, permission)) return [];
  if (rights.isPlatformAdmin) return rights.tokenProjectId ? [rights.tokenProjectId] : rights.existingProjects;
  const withIt = [...rights.roles].filter(([, role]) => permissionTable[permission][role]).map(([projectId]) => projectId);
  return rights.tokenProjectId ? withIt.filter((id) => id === rights.tokenProjectId) : withIt;
}

/** Every permission of a project that holds in this one. */
export function permissionsInProject(rights: Rights, projectId: string): Permission[] {
  return permissions.filter((permission) => isProjectPermission(permission) && decideInProject(rights, permission, projectId).allowed);
}

/** Every permission that holds outside projects. */
export function permissionsOnPlatform(rights: Rights): Permission[] {
  return permissions.filter((permission) => !isProjectPermission(permission) && decideOnPlatform(rights, permission).allowed);
}

function isVisible({ isPlatformAdmin, roles, tokenProjectId }: Rights, projectId: string): boolean {
  return (isPlatformAdmin || roles.has(projectId)) && (tokenProjectId === null || tokenProjectId === projectId);
}

function byScope(rights: Rights, permission: Permission): AccessDecision {
  if (scopeCovers(rights.scopes, permission)) return allowed;
  return refuse(permission, phrase('token-lacks-scope', { needed: permissionTable[permission].scope, scopes: [...rights.scopes] }));
}

function whoGives(permission: Permission, role: ProjectRole | null): Phrase {
  const least = leastRoleFor(permission);
  const giver = least ? phrase('given-by-role', { role: least }) : phrase('given-by-platform');
  return role ? phrase('and-yours-is', { giver, role }) : giver;
}

function refuse(permission: Permission, why: PhraseValue): AccessDecision {
  return { allowed: false, hidden: false, reason: phrase('permission-needed', { permission, why }) };
}
