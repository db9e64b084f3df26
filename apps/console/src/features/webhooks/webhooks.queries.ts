import type { WebhookDeliveryQuery, WebhookSecret } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useWebhook(scheduleId: Ref<string>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.schedules, scheduleId.value, 'webhook']),
    queryFn: ({ signal }) => callApi('getWebhook', { params: { id: scheduleId.value }, signal }),
  });
}

/** Accepted ones come with an event; refused ones are found by looking again. */
export function useDeliveries(scheduleId: Ref<string>, filter: Ref<Partial<Pick<WebhookDeliveryQuery, 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.schedules, scheduleId.value, 'deliveries', filter.value]),
    queryFn: ({ signal }) =>
      callApi('listWebhookDeliveries', {
        params: { id: scheduleId.value },
        query: { limit: 20, ...filter.value },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
}

export function useRotateSecret(scheduleId: Ref<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (graceHours: number): Promise<WebhookSecret> =>
      callApi('rotateWebhookSecret', { params: { id: scheduleId.value }, body: { graceHours } }),
    onSuccess: () => client.invalidateQueries({ queryKey: [...queryKeys.schedules, scheduleId.value] }),
  });
}
