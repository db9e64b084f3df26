import type { Me } from '@medley/contracts';
import { isProjectPermission, type Permission } from '@medley/core';

type Rights = Pick<Me, 'isAdmin' | 'permissions' | 'projects'>;

/** The projects that are asked about: the one with this id or name, or without one all of them. */
export function askedProjects<Project extends { id: string; name: string }>(
  projects: readonly Project[],
  project?: string | null,
): Project[] {
  return projects.filter(({ id, name }) => !project || id === project || name === project);
}

/**
 * Whether a permission holds outside projects, or in this project, by id or name; without one, in any. In a project that is not known, e.g. because it was made
 * meanwhile or has not been made yet, a platform administrator has every permission of projects.
 */
export function holds({ isAdmin, permissions, projects }: Rights, permission: Permission, project?: string | null): boolean {
  if (permissions.includes(permission)) return true;
  const asked = askedProjects(projects, project);
  if (isAdmin && asked.length === 0) return isProjectPermission(permission);
  return asked.some((each) => each.permissions.includes(permission));
}
