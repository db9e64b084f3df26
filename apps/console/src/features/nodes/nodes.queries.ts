import type { PatchNode } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** Load arrives with every heartbeat and is no event of its own. */
const loadMs = 5_000;

export function useNodes(filter: Ref<{ poolId?: string; state?: string; cursor?: string; limit?: number }>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.nodes, filter.value]),
    queryFn: ({ signal }) => callApi('listNodes', { query: filter.value, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: loadMs,
  });
}

export function useNode(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => queryKeys.node(id.value)),
    queryFn: ({ signal }) => callApi('getNode', { params: { id: id.value }, signal }),
    refetchInterval: loadMs,
  });
}

export function usePatchNode(id: Ref<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: PatchNode) => callApi('patchNode', { params: { id: id.value }, body: change }),
    onSuccess: (node) => {
      client.setQueryData(queryKeys.node(id.value), node);
      return client.invalidateQueries({ queryKey: queryKeys.nodes });
    },
  });
}

export function useRemoveNode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi('removeNode', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.nodes }),
  });
}
