import type { ChangeNodes, NodeSort, PatchNode } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi, type QueryValue } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** Load arrives with every heartbeat and is no event of its own. */
const loadMs = 5_000;
const HOUR_MS = 3_600_000;
const sampleMs = 30_000;

export interface NodeListQuery {
  [name: string]: QueryValue;
  poolId?: string;
  state?: string;
  service?: string;
  search?: string;
  labels?: string;
  sort?: NodeSort;
  cursor?: string;
  limit?: number;
}

export function useNodes(filter: Ref<NodeListQuery>) {
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

/** The load of the last hours, sampled twice a minute. */
export function useNodeLoad(id: Ref<string>, hours: Ref<number>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.node(id.value), 'load', hours.value]),
    queryFn: ({ signal }) => {
      const now = Date.now();
      const range = { from: new Date(now - hours.value * HOUR_MS).toISOString(), to: new Date(now).toISOString() };
      return callApi('getNodeLoad', { params: { id: id.value }, query: range, signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: sampleMs,
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

export function useChangeNodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ChangeNodes) => callApi('changeNodes', { body: change }),
    onSuccess: ({ dryRun }) => (dryRun ? undefined : client.invalidateQueries({ queryKey: queryKeys.nodes })),
  });
}

export function useRemoveNode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi('removeNode', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.nodes }),
  });
}
