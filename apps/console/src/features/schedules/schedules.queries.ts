import type { ScheduleView, TimetableDefinition } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useSchedules(filter: Ref<{ workflowId?: string; projectId?: string; search?: string; sort?: string; cursor?: string }>) {
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

/** What the dates of a schedule of upstreams wait for; it changes with every run that ends. */
export function useUpstreamDates(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.schedules, id.value, 'upstream-dates']),
    queryFn: ({ signal }) => callApi('getUpstreamDates', { params: { id: id.value }, signal }),
    refetchInterval: 10_000,
  });
}

export function useToggleSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (schedule: ScheduleView) => callApi('patchSchedule', { params: { id: schedule.id }, body: { enabled: !schedule.enabled } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.schedules }),
  });
}

export function useSchedule(id: Ref<string | null>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.schedules, id.value ?? '']),
    queryFn: ({ signal }) => callApi('getSchedule', { params: { id: id.value! }, signal }),
    enabled: computed(() => id.value !== null),
  });
}

/** The fires of a rule that is being written; asked for once it has no fault. */
export function useFirePreview(rule: Ref<TimetableDefinition | null>, projectId: Ref<string | undefined>) {
  return useQuery({
    queryKey: computed(() => ['schedule-preview', rule.value, projectId.value]),
    queryFn: ({ signal }) =>
      callApi('previewSchedule', {
        body: { ...rule.value!, ...(projectId.value === undefined ? {} : { projectId: projectId.value }), count: 8 },
        signal,
      }),
    enabled: computed(() => rule.value !== null),
    placeholderData: keepPreviousData,
  });
}

export function useScheduleCalendar(
  query: Ref<{ month: string; zone: string; projectId?: string; workflowId?: string; scheduleId?: string }>,
) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.schedules, 'calendar', query.value]),
    queryFn: ({ signal }) => callApi('getScheduleCalendar', { query: query.value, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
