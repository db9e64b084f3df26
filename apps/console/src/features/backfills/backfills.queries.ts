import type { Backfill, BackfillQuery, BackfillScope, StartBackfill } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** Live events carry changes; this slow poll only mends what a lost event would leave stale. */
const mendMs = 10_000;

export function useBackfills(scheduleId: Ref<string>, filter: Ref<Partial<Pick<BackfillQuery, 'state' | 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.backfills, scheduleId.value, filter.value]),
    queryFn: ({ signal }) => callApi('listBackfills', { params: { id: scheduleId.value }, query: { limit: 20, ...filter.value }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ finishedAt }) => finishedAt === null) ? mendMs : false),
  });
}

/** What the server would start; asked for once the form has no fault. */
export function useBackfillPreview(scheduleId: Ref<string>, scope: Ref<BackfillScope | null>) {
  return useQuery({
    queryKey: computed(() => ['backfill-preview', scheduleId.value, scope.value]),
    queryFn: ({ signal }) => callApi('previewBackfill', { params: { id: scheduleId.value }, body: scope.value!, signal }),
    enabled: computed(() => scope.value !== null),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}

export function useStartBackfill(scheduleId: Ref<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: StartBackfill): Promise<Backfill> => callApi('startBackfill', { params: { id: scheduleId.value }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.backfills }),
  });
}

export function useCancelBackfill() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, runs }: { id: string; runs: 'leave' | 'cancel' }): Promise<Backfill> =>
      callApi('cancelBackfill', { params: { id }, body: { runs } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.backfills }),
  });
}
