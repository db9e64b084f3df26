import type { CreatePool, PoolPolicy, PoolQuery } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** A page of them. */
export function usePoolList(filter: Ref<Partial<Pick<PoolQuery, 'search' | 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.pools, 'list', filter.value]),
    queryFn: ({ signal }) => callApi('listPools', { query: { ...filter.value }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
}

/** Those among which one is chosen: the first two hundred by name. */
export function usePools() {
  return useQuery({
    queryKey: queryKeys.pools,
    queryFn: ({ signal }) => callApi('listPools', { query: { limit: 200 }, signal }),
    refetchInterval: 15_000,
  });
}

export function useCreatePool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreatePool) => callApi('createPool', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.pools }),
  });
}

export function useRemovePool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi('removePool', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.pools }),
  });
}

export function usePatchPool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, policy }: { id: string; policy: PoolPolicy }) => callApi('patchPool', { params: { id }, body: { policy } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.pools }),
  });
}
