import type { CreatePool, PoolPolicy } from '@medley/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

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
