import { type LoginRequest, type Me, restPath, restRoutes } from '@medley/contracts';
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import { callApi } from '../api/api-client.js';
import { queryClient } from '../api/query-client.js';
import { stopLiveEvents } from '../live/live-events.js';

/** Who is signed in. `me` is undefined until the server was asked, null when nobody is. */
export const useSession = defineStore('session', () => {
  const me = ref<Me | null | undefined>(undefined);
  const canWrite = computed(() => me.value?.scopes.includes('write') ?? false);
  const canAdminister = computed(() => me.value?.scopes.includes('admin') ?? false);

  /** Asks once; later calls answer from memory. */
  async function load(): Promise<Me | null> {
    if (me.value !== undefined) return me.value;
    try {
      me.value = await callApi('me');
    } catch (error) {
      if ((error as { status?: number }).status !== 401) throw error;
      me.value = null;
    }
    return me.value;
  }

  async function signIn(credentials: LoginRequest): Promise<void> {
    me.value = await callApi('login', { body: credentials });
  }

  /** Ends the session here. Resolves with the address that ends the one at the provider, where that is wanted as well. */
  async function signOut(): Promise<string | null> {
    const provider = me.value?.source === 'oidc' ? (await callApi('listSignInMethods')).oidc : null;
    await callApi('logout');
    forget();
    return provider?.signOut ? restPath(restRoutes.signOutOfOidc.path) : null;
  }

  /** The session ended, by whoever. */
  function forget(): void {
    me.value = null;
    stopLiveEvents();
    queryClient.clear();
  }

  return { me, canWrite, canAdminister, load, signIn, signOut, forget };
});
