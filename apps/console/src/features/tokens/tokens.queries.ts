import type { CreateApiToken, JoinTokenQuery, OwnedTokenQuery, TokenQuery } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** The own ones, or those of everyone. */
export function useApiTokens(whose: 'own' | 'all', filter: Ref<Partial<Pick<OwnedTokenQuery, 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.tokens, whose, filter.value]),
    queryFn: async ({ signal }) => {
      if (whose === 'all') return callApi('listAllTokens', { query: { ...filter.value }, signal });
      const sort = filter.value.sort as TokenQuery['sort'];
      const page = await callApi('listTokens', { query: { ...filter.value, sort }, signal });
      return { ...page, items: page.items.map((token) => ({ ...token, userId: '', user: '' })) };
    },
    placeholderData: keepPreviousData,
  });
}

export function useJoinTokens(filter: Ref<Partial<Pick<JoinTokenQuery, 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.joinTokens, filter.value]),
    queryFn: ({ signal }) => callApi('listJoinTokens', { query: { ...filter.value }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useCreateApiToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateApiToken) => callApi('createToken', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.tokens }),
  });
}

export function useRevoke(kind: 'revokeToken' | 'revokeAnyToken' | 'revokeJoinToken') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(kind, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: kind === 'revokeJoinToken' ? queryKeys.joinTokens : queryKeys.tokens }),
  });
}
