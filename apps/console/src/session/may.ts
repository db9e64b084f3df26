import { leastRoleFor, type Permission } from '@medley/core';
import { useI18n } from 'vue-i18n';
import { askedProjects, holds } from './permissions.js';
import { useSession } from './session.store.js';

/** Whether the reader may do something, and if not, why in words. */
export interface May {
  allowed: boolean;
  reason: string;
}

/**
 * The one way by which the console asks what the reader may do, as `/me` tells it: in a project, by id or name; without one, in any or outside projects. The
 * server decides in the end.
 */
export function useMay(): (permission: Permission, project?: string | null) => May {
  const session = useSession();
  const { t } = useI18n();

  function reasonAgainst(permission: Permission, project?: string | null): string {
    const least = leastRoleFor(permission);
    if (least === null) return t('may.platformOnly');
    const needed = t(`role.${least}`);
    const [own] = askedProjects(session.me?.projects ?? [], project);
    return own ? t('may.roleIs', { needed, own: t(`role.${own.role}`) }) : t('may.noRole', { needed });
  }

  return (permission, project) => {
    const allowed = session.me ? holds(session.me, permission, project) : false;
    return { allowed, reason: allowed ? '' : reasonAgainst(permission, project) };
  };
}
