import { type ProjectRole, projectRoles } from '@medley/core';

/** Whoever may decide on an approval is asked for by these: `role:…` in the project or a higher one, `user:…` and `group:…` by name. */
export interface Approver {
  name: string;
  groups: readonly string[];
  /** Its highest role in the project, `admin` for platform administrators; null for none. */
  role: ProjectRole | null;
}

/** Whether one of the rules names this approver. */
export function mayApprove(by: readonly string[], { name, groups, role }: Approver): boolean {
  const naming = [...rulesNamingAnywhere({ name, groups }), ...rulesNamingRole(role)];
  return by.some((rule) => naming.includes(rule));
}

/** The rules that name somebody whatever the project. */
export function rulesNamingAnywhere({ name, groups }: Omit<Approver, 'role'>): string[] {
  return [`user:${name}`, ...groups.map((group) => `group:${group}`)];
}

/** The rules that name whoever has a role in a project: those that ask for it or for a lower one. */
export function rulesNamingRole(role: ProjectRole | null): string[] {
  return role === null ? [] : projectRoles.slice(0, projectRoles.indexOf(role) + 1).map((each) => `role:${each}`);
}
