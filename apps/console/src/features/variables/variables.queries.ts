import type { PutVariable, VariableQuery, VariableView } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useVariables(projectId: Ref<string>, filter: Ref<Partial<Pick<VariableQuery, 'search' | 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.variables, projectId.value, filter.value]),
    queryFn: ({ signal }) => callApi('listVariables', { params: { id: projectId.value }, query: { ...filter.value }, signal }),
    enabled: computed(() => projectId.value !== ''),
    placeholderData: keepPreviousData,
  });
}

/** Asked anew whenever it is looked at: workflows change meanwhile. */
export function useVariableUses(variable: Ref<VariableView | undefined>) {
  return useQuery({
    queryKey: computed(() => ['variable-uses', variable.value?.projectId, variable.value?.name]),
    queryFn: ({ signal }) => callApi('getVariableUses', { params: { id: variable.value!.projectId, name: variable.value!.name }, signal }),
    enabled: computed(() => variable.value !== undefined),
    gcTime: 0,
  });
}

export function useVariableChanges() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKeys.variables });
  return {
    put: useMutation({
      mutationFn: ({ id, name, body }: { id: string; name: string; body: PutVariable }) =>
        callApi('putVariable', { params: { id, name }, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (params: { id: string; name: string }) => callApi('removeVariable', { params }),
      onSuccess,
    }),
  };
}
