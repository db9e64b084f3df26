import type { PutSecret, SecretQuery, SecretView } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useSecrets(projectId: Ref<string>, filter: Ref<Partial<Pick<SecretQuery, 'search' | 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.secrets, projectId.value, filter.value]),
    queryFn: ({ signal }) => callApi('listSecrets', { params: { id: projectId.value }, query: { ...filter.value }, signal }),
    enabled: computed(() => projectId.value !== ''),
    placeholderData: keepPreviousData,
  });
}

/** Asked anew whenever it is looked at: workflows change meanwhile. */
export function useSecretUses(secret: Ref<SecretView | undefined>) {
  return useQuery({
    queryKey: computed(() => ['secret-uses', secret.value?.projectId, secret.value?.name]),
    queryFn: ({ signal }) => callApi('getSecretUses', { params: { id: secret.value!.projectId, name: secret.value!.name }, signal }),
    enabled: computed(() => secret.value !== undefined),
    gcTime: 0,
  });
}

export function useSecretChanges() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKeys.secrets });
  return {
    put: useMutation({
      mutationFn: ({ id, name, body }: { id: string; name: string; body: PutSecret }) =>
        callApi('putSecret', { params: { id, name }, body }),
      onSuccess,
    }),
    reseal: useMutation({ mutationFn: () => callApi('resealSecrets', {}), onSuccess }),
    remove: useMutation({
      mutationFn: (params: { id: string; name: string }) => callApi('removeSecret', { params }),
      onSuccess,
    }),
  };
}
