import { type ProjectRole, projectRoles, type TokenScope, tokenScopes } from './roles.js';

/** Whoever is signed in, the roles of a project, and the platform administrator: the columns of the table. */
export const accessColumns = ['signed-in', ...projectRoles, 'platform-admin'] as const;
export type AccessColumn = (typeof accessColumns)[number];

interface PermissionRow extends Readonly<Record<AccessColumn, boolean>> {
  /** The least scope with which an API token passes the permission on. */
  scope: TokenScope;
}

const row = (
  scope: TokenScope,
  ...[signedIn, viewer, operator, developer, admin, platformAdmin]: [0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1]
) =>
  ({
    scope,
    'signed-in': signedIn === 1,
    viewer: viewer === 1,
    operator: operator === 1,
    developer: developer === 1,
    admin: admin === 1,
    'platform-admin': platformAdmin === 1,
  }) satisfies PermissionRow;

/** Who may do what. A role's column counts in its project; the first and the last one count everywhere. */
// biome-ignore format: a table is read by its columns
export const permissionTable = {
  // scope, signed-in, viewer, operator, developer, admin, platform-admin
  'self:read':        row('read',  1, 1, 1, 1, 1, 1),
  'self:write':       row('admin', 1, 1, 1, 1, 1, 1),
  'overview:read':    row('read',  1, 1, 1, 1, 1, 1),
  'definition:check': row('read',  1, 1, 1, 1, 1, 1),
  'node:read':        row('read',  1, 1, 1, 1, 1, 1),
  'pool:read':        row('read',  1, 1, 1, 1, 1, 1),
  'project:read':     row('read',  0, 1, 1, 1, 1, 1),
  'workflow:read':    row('read',  0, 1, 1, 1, 1, 1),
  'schedule:read':    row('read',  0, 1, 1, 1, 1, 1),
  'run:read':         row('read',  0, 1, 1, 1, 1, 1),
  'variable:read':    row('read',  0, 1, 1, 1, 1, 1),
  'secret:read':      row('read',  0, 1, 1, 1, 1, 1),
  'member:read':      row('read',  0, 1, 1, 1, 1, 1),
  'limit:read':       row('read',  0, 1, 1, 1, 1, 1),
  'run:approve':      row('write', 0, 1, 1, 1, 1, 1),
  'run:operate':      row('write', 0, 0, 1, 1, 1, 1),
  'schedule:operate': row('write', 0, 0, 1, 1, 1, 1),
  'limit:write':      row('write', 0, 0, 1, 1, 1, 1),
  'workflow:write':   row('write', 0, 0, 0, 1, 1, 1),
  'schedule:write':   row('write', 0, 0, 0, 1, 1, 1),
  'variable:write':   row('write', 0, 0, 0, 1, 1, 1),
  'secret:write':     row('write', 0, 0, 0, 1, 1, 1),
  'member:write':     row('admin', 0, 0, 0, 0, 1, 1),
  'audit:read':       row('read',  0, 0, 0, 0, 1, 1),
  'project:write':    row('admin', 0, 0, 0, 0, 0, 1),
  'node:write':       row('write', 0, 0, 0, 0, 0, 1),
  'pool:write':       row('write', 0, 0, 0, 0, 0, 1),
  'join-token:read':  row('admin', 0, 0, 0, 0, 0, 1),
  'join-token:write': row('admin', 0, 0, 0, 0, 0, 1),
  'metrics:read':     row('read',  0, 0, 0, 0, 0, 1),
  'user:read':        row('admin', 0, 0, 0, 0, 0, 1),
  'user:write':       row('admin', 0, 0, 0, 0, 0, 1),
  'secret-key:write': row('admin', 0, 0, 0, 0, 0, 1),
  'group:read':       row('admin', 0, 0, 0, 0, 0, 1),
  'group:write':      row('admin', 0, 0, 0, 0, 0, 1),
} satisfies Record<string, PermissionRow>;

export type Permission = keyof typeof permissionTable;
export const permissions = Object.keys(permissionTable) as Permission[];

/** Whether the permission is one of a project: some role gives it, and being signed in does not. */
export function isProjectPermission(permission: Permission): boolean {
  return !permissionTable[permission]['signed-in'] && permissionTable[permission].admin;
}

/** Whether a scope passes a permission on. */
export function scopeCovers(scopes: readonly TokenScope[], permission: Permission): boolean {
  const needed = tokenScopes.indexOf(permissionTable[permission].scope);
  return scopes.some((scope) => tokenScopes.indexOf(scope) >= needed);
}

/** The least role that gives a permission of a project; null where none does. */
export function leastRoleFor(permission: Permission): ProjectRole | null {
  return projectRoles.find((role) => permissionTable[permission][role]) ?? null;
}
