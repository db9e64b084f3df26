import type { AuditFilter, AuditQuery } from '@medley/contracts';
import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useAuditEvents(filter: Ref<AuditFilter & Partial<Pick<AuditQuery, 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.audit, filter.value]),
    queryFn: ({ signal }) => callApi('listAuditEvents', { query: { ...filter.value }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useAuditEvent(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.audit, 'one', id.value]),
    queryFn: ({ signal }) => callApi('getAuditEvent', { params: { id: id.value }, signal }),
  });
}
