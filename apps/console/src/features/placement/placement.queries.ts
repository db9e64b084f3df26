import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, onScopeDispose, type Ref } from 'vue';
import { callApi, type QueryValue } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';
import { onChanges } from '../../live/live-events.js';

const mendMs = 15_000;
/** Counting decisions is work for the database, so that a busy cluster is counted this often and not with every change. */
const recountMs = 3_000;

export interface PlacementFilter {
  [name: string]: QueryValue;
  poolId?: string;
  nodeId?: string;
  workflowId?: string;
  cursor?: string;
}

export function usePlacements(filter: Ref<PlacementFilter>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.placements, filter.value]),
    queryFn: ({ signal }) => callApi('listPlacements', { query: filter.value, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: mendMs,
  });
}

/** Placements against weights over the last `minutes`; follows what the server tells of changes. */
export function useDistribution(poolId: Ref<string | undefined>, minutes: Ref<number>) {
  const client = useQueryClient();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = onChanges((changes) => {
    if (timer !== undefined || !changes.some(({ entity }) => entity === 'run' || entity === 'attempt')) return;
    timer = setTimeout(() => {
      timer = undefined;
      void client.invalidateQueries({ queryKey: queryKeys.distribution }, { cancelRefetch: false });
    }, recountMs);
  });
  onScopeDispose(() => {
    stop();
    clearTimeout(timer);
  });
  return useQuery({
    queryKey: computed(() => [...queryKeys.distribution, poolId.value ?? '', minutes.value]),
    queryFn: ({ signal }) => {
      const now = Date.now();
      // Ahead a little, so that the newest decisions of a server whose clock runs ahead are counted.
      const query = { from: new Date(now - minutes.value * 60_000).toISOString(), to: new Date(now + 60_000).toISOString() };
      return callApi('getPoolDistribution', { params: { id: poolId.value! }, query, signal });
    },
    enabled: computed(() => poolId.value !== undefined),
    placeholderData: keepPreviousData,
    refetchInterval: mendMs,
  });
}
