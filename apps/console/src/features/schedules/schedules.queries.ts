import type { ScheduleView } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useSchedules(filter: Ref<{ workflowId?: string; projectId?: string; cursor?: string }>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.schedules, filter.value]),
    queryFn: ({ signal }) => callApi('listSchedules', { query: filter.value, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}

/** Further fire times with the wall clock of the schedule's zone. */
export function useNextFires(id: Ref<string>, isWanted: Ref<boolean>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.schedules, id.value, 'next-fires']),
    queryFn: ({ signal }) => callApi('getNextFires', { params: { id: id.value }, query: { count: 10 }, signal }),
    enabled: isWanted,
  });
}

export function useToggleSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (schedule: ScheduleView) => callApi('patchSchedule', { params: { id: schedule.id }, body: { enabled: !schedule.enabled } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.schedules }),
  });
}
