import type { OwnedSessionQuery, SessionQuery } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** Sessions of everyone, or the own ones. */
export function useSessions(whose: 'all' | 'own', filter: Ref<Partial<Pick<OwnedSessionQuery, 'userId' | 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.sessions, whose, filter.value]),
    queryFn: async ({ signal }) => {
      const { cursor, sort, userId } = filter.value;
      if (whose === 'all') return callApi('listSessions', { query: { cursor, sort, userId }, signal });
      const page = await callApi('listOwnSessions', { query: { cursor, sort: sort as SessionQuery['sort'] }, signal });
      return { ...page, items: page.items.map((session) => ({ ...session, userId: '', user: '' })) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
}

export function useEndSession(whose: 'all' | 'own') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(whose === 'all' ? 'endSession' : 'endOwnSession', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
}
