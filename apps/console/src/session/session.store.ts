import type { LoginRequest, Me } from '@medley/contracts';
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

  async function signOut(): Promise<void> {
    await callApi('logout');
    forget();
  }

  /** The session ended, by whoever. */
  function forget(): void {
    me.value = null;
    stopLiveEvents();
    queryClient.clear();
  }

  return { me, canWrite, canAdminister, load, signIn, signOut, forget };
});
