/** What a user may be in a project, the least first; each includes the ones before it. */
export const projectRoles = ['viewer', 'operator', 'developer', 'admin'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** How much of its user's rights an API token passes on, the least first; each includes the ones before it. */
export const tokenScopes = ['read', 'write', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The stronger of two roles: a user has what any of its bindings gives. */
export function strongerRole(one: ProjectRole | null, other: ProjectRole | null): ProjectRole | null {
  if (one === null || other === null) return one ?? other;
  return projectRoles.indexOf(one) >= projectRoles.indexOf(other) ? one : other;
}
