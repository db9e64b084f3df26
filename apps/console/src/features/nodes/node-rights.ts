import { computed } from 'vue';
import { useSession } from '../../session/session.store.js';

/** What of nodes and pools the signed-in user may change; both belong to the platform, not to a project. */
export function useComputeRights() {
  const session = useSession();
  return {
    mayChangeNodes: computed(() => session.me?.permissions.includes('node:write') ?? false),
    mayChangePools: computed(() => session.me?.permissions.includes('pool:write') ?? false),
  };
}
