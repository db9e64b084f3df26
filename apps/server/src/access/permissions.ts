import type { TokenScope } from '@medley/contracts';

/** What a route asks of its caller: a subject and how deep the call reaches. */
export type Permission =
  | `${'project' | 'workflow' | 'run' | 'schedule' | 'pool' | 'node' | 'overview'}:${'read' | 'write'}`
  | 'self:read'
  | 'access:admin'
  | 'project:admin';

const included: Record<TokenScope, readonly TokenScope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
};

/** Whether scopes allow a permission: `admin` includes `write`, `write` includes `read`. */
export function isPermitted(scopes: readonly TokenScope[], permission: Permission): boolean {
  const needed = permission.split(':')[1] as TokenScope;
  return scopes.some((scope) => included[scope].includes(needed));
}
