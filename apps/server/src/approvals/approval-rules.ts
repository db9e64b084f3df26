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
  return by.some((rule) => {
    const [kind, wanted] = splitRule(rule);
    if (kind === 'user') return wanted === name;
    if (kind === 'group') return groups.includes(wanted);
    return role !== null && projectRoles.indexOf(role) >= projectRoles.indexOf(wanted as ProjectRole);
  });
}

function splitRule(rule: string): [string, string] {
  const colon = rule.indexOf(':');
  return [rule.slice(0, colon), rule.slice(colon + 1)];
}
