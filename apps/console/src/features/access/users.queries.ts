import type { ChangeUsers, CreateUser, PatchUser, UserQuery } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

type UserFilter = Partial<Pick<UserQuery, 'search' | 'source' | 'disabled' | 'sort' | 'cursor'>>;

export function useUsers(filter: Ref<UserFilter>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.users, filter.value]),
    queryFn: ({ signal }) => callApi('listUsers', { query: { ...filter.value }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useUser(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.users, 'one', id.value]),
    queryFn: ({ signal }) => callApi('getUser', { params: { id: id.value }, signal }),
  });
}

/** What can be done to users; lists and the one that is open are fetched again after each. */
export function useUserChanges() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKeys.users });
  return {
    create: useMutation({ mutationFn: (body: Partial<CreateUser> & { name: string }) => callApi('createUser', { body }), onSuccess }),
    patch: useMutation({
      mutationFn: ({ id, ...body }: PatchUser & { id: string }) => callApi('patchUser', { params: { id }, body }),
      onSuccess,
    }),
    changeMany: useMutation({
      mutationFn: (body: ChangeUsers) => callApi('changeUsers', { body }),
      onSuccess: ({ dryRun }) => (dryRun ? undefined : onSuccess()),
    }),
    resetPassword: useMutation({ mutationFn: (id: string) => callApi('resetPassword', { params: { id }, body: {} }), onSuccess }),
    unlock: useMutation({ mutationFn: (id: string) => callApi('unlockUser', { params: { id } }), onSuccess }),
    endSessions: useMutation({ mutationFn: (id: string) => callApi('endUserSessions', { params: { id } }), onSuccess }),
    remove: useMutation({ mutationFn: (id: string) => callApi('removeUser', { params: { id } }), onSuccess }),
  };
}

/** What would go with a user. */
export const readUserImpact = (id: string) => callApi('getUserImpact', { params: { id } });
