import type { GroupQuery, PatchGroup } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useGroups(filter: Ref<Partial<Pick<GroupQuery, 'search' | 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.groups, filter.value]),
    queryFn: ({ signal }) => callApi('listGroups', { query: { ...filter.value }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useGroup(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.groups, 'one', id.value]),
    queryFn: ({ signal }) => callApi('getGroup', { params: { id: id.value }, signal }),
  });
}

export function useGroupMembers(id: Ref<string>, cursor: Ref<string | undefined>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.groups, 'members', id.value, cursor.value ?? '']),
    queryFn: ({ signal }) => callApi('listGroupMembers', { params: { id: id.value }, query: { cursor: cursor.value }, signal }),
    placeholderData: keepPreviousData,
  });
}

export interface GroupFields {
  name: string;
  description: string;
  externalName: string | null;
  isPlatformAdmin: boolean;
}

export function useGroupChanges() {
  const client = useQueryClient();
  const onSuccess = () => Promise.all([queryKeys.groups, queryKeys.users].map((queryKey) => client.invalidateQueries({ queryKey })));
  return {
    create: useMutation({ mutationFn: (body: GroupFields) => callApi('createGroup', { body }), onSuccess }),
    patch: useMutation({
      mutationFn: ({ id, ...body }: PatchGroup & { id: string }) => callApi('patchGroup', { params: { id }, body }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => callApi('removeGroup', { params: { id } }), onSuccess }),
    addMember: useMutation({
      mutationFn: ({ id, userId }: { id: string; userId: string }) => callApi('addGroupMember', { params: { id }, body: { userId } }),
      onSuccess,
    }),
    removeMember: useMutation({
      mutationFn: ({ id, userId }: { id: string; userId: string }) => callApi('removeGroupMember', { params: { id, userId } }),
      onSuccess,
    }),
  };
}

export const findUsers = async (search: string) => (await callApi('listUsers', { query: { search, limit: 20 } })).items;
