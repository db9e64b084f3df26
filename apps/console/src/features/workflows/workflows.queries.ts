import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useWorkflows(filter: Ref<{ projectId?: string; search?: string; sort?: string; cursor?: string }>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.workflows, filter.value]),
    queryFn: ({ signal }) => callApi('listWorkflows', { query: filter.value, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useWorkflow(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => queryKeys.workflow(id.value)),
    queryFn: ({ signal }) => callApi('getWorkflow', { params: { id: id.value }, signal }),
    enabled: computed(() => id.value !== ''),
  });
}

export function useWorkflowVersions(id: Ref<string>, cursor: Ref<string | undefined>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.workflow(id.value), 'versions', cursor.value ?? '']),
    queryFn: ({ signal }) => callApi('listWorkflowVersions', { params: { id: id.value }, query: { cursor: cursor.value }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** One version never changes, so it is asked for once. */
export function useWorkflowVersion(id: Ref<string>, version: Ref<number | null>) {
  return useQuery({
    queryKey: computed(() => ['workflow-version', id.value, String(version.value)]),
    queryFn: ({ signal }) => callApi('getWorkflowVersion', { params: { id: id.value, version: version.value! }, signal }),
    enabled: computed(() => version.value !== null),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
