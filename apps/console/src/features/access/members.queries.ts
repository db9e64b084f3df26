import type { MemberQuery, PutMember } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

export function useMembers(projectId: Ref<string>, filter: Ref<Partial<Pick<MemberQuery, 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.members, projectId.value, filter.value]),
    queryFn: ({ signal }) => callApi('listProjectMembers', { params: { id: projectId.value }, query: { ...filter.value }, signal }),
    enabled: computed(() => projectId.value !== ''),
    placeholderData: keepPreviousData,
  });
}

export function useMemberChanges(projectId: Ref<string>) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKeys.members });
  return {
    put: useMutation({
      mutationFn: (body: PutMember) => callApi('putProjectMember', { params: { id: projectId.value }, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (memberId: string) => callApi('removeProjectMember', { params: { id: projectId.value, memberId } }),
      onSuccess,
    }),
  };
}

export const findCandidates = async (projectId: string, search: string) =>
  (await callApi('listMemberCandidates', { params: { id: projectId }, query: { search } })).items;
