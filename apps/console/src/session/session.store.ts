import { type LoginRequest, type Me, restPath, restRoutes } from '@medley/contracts';
import { defineStore } from 'pinia';
import { ref } from 'vue';
import { callApi, tellSignedOut } from '../api/api-client.js';
import { queryClient } from '../api/query-client.js';
import { stopLiveEvents } from '../live/live-events.js';

/** Who is signed in. `me` is undefined until the server was asked, null when nobody is. */
export const useSession = defineStore('session', () => {
  const me = ref<Me | null | undefined>(undefined);

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

  /** The id of a project of whoever is signed in, for what is known by the project's name only. */
  const projectIdOf = (name: string): string | null => me.value?.projects.find((project) => project.name === name)?.id ?? null;

  /** Asks anew: rights may have changed, or the session ended. Nothing changes while the server cannot be reached. */
  async function refresh(): Promise<void> {
    if (!me.value) return;
    try {
      me.value = await callApi('me');
    } catch (error) {
      if ((error as { status?: number }).status === 401) tellSignedOut();
    }
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

  return { me, projectIdOf, load, refresh, signIn, signOut, forget };
});
