import type { Permission } from '@medley/core';
import { computed, type Ref } from 'vue';
import { useSession } from './session.store.js';

/** Whether the reader may do something in a project; in any at all when none is named. The server decides again with every call. */
export function useProjectPermission(permission: Permission, projectId: Ref<string | null | undefined>) {
  const session = useSession();
  return computed(() => {
    const me = session.me;
    if (!me) return false;
    if (me.permissions.includes(permission)) return true;
    if (projectId.value) return me.projects.find(({ id }) => id === projectId.value)?.permissions.includes(permission) ?? false;
    return me.projects.some((project) => project.permissions.includes(permission));
  });
}
