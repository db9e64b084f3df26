import { leastRoleFor, type Permission } from '@medley/core';
import { useI18n } from 'vue-i18n';
import { useSession } from './session.store.js';

/** Whether the reader may do something, and if not, why in words. */
export interface May {
  allowed: boolean;
  reason: string;
}

/** Asks what `/me` tells about a project, by id or name; without one, whether the permission holds in any. The server decides in the end. */
export function useMay(): (permission: Permission, project?: string | null) => May {
  const session = useSession();
  const { t } = useI18n();
  return (permission, project) => {
    const projects = session.me?.projects ?? [];
    const found = project ? projects.filter(({ id, name }) => id === project || name === project) : projects;
    if (found.some(({ permissions }) => permissions.includes(permission))) return { allowed: true, reason: '' };
    if (session.me?.isAdmin && found.length === 0) return { allowed: true, reason: '' };
    const needed = t(`role.${leastRoleFor(permission) ?? 'admin'}`);
    const own = found[0];
    return { allowed: false, reason: own ? t('may.roleIs', { needed, own: t(`role.${own.role}`) }) : t('may.noRole', { needed }) };
  };
}
