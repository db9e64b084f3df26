import type { CalendarListQuery, PutCalendar } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

type CalendarFilter = Partial<Pick<CalendarListQuery, 'search' | 'sort' | 'cursor' | 'limit'>>;

export function useCalendars(projectId: Ref<string>, filter: Ref<CalendarFilter>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.calendars, projectId.value, filter.value]),
    queryFn: ({ signal }) => callApi('listCalendars', { params: { id: projectId.value }, query: { ...filter.value }, signal }),
    enabled: computed(() => projectId.value !== ''),
    placeholderData: keepPreviousData,
  });
}

/** Schedules are read anew as well: their next fires move with a calendar. */
export function useCalendarChanges() {
  const client = useQueryClient();
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: queryKeys.calendars });
    await client.invalidateQueries({ queryKey: queryKeys.schedules });
  };
  return {
    put: useMutation({
      mutationFn: ({ id, name, body }: { id: string; name: string; body: PutCalendar }) =>
        callApi('putCalendar', { params: { id, name }, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (params: { id: string; name: string }) => callApi('removeCalendar', { params }),
      onSuccess,
    }),
    read: useMutation({
      mutationFn: ({ id, text }: { id: string; text: string }) => callApi('readICalendar', { params: { id }, body: { text } }),
    }),
  };
}
