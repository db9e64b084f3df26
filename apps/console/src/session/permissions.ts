import type { Me } from '@medley/contracts';
import type { Permission } from '@medley/core';

type Rights = Pick<Me, 'permissions' | 'projects'>;

/** Whether a permission holds outside projects, or in this project; without one named, in any. */
export function holds({ permissions, projects }: Rights, permission: Permission, projectId?: string | null): boolean {
  if (permissions.includes(permission)) return true;
  const asked = projectId ? projects.filter(({ id }) => id === projectId) : projects;
  return asked.some((project) => project.permissions.includes(permission));
}
