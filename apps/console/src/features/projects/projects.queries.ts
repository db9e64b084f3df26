import type { ProjectQuery } from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';
import { useSession } from '../../session/session.store.js';

const IMPACT = 'project-impact';

export function useProjects(filter: Ref<Partial<Pick<ProjectQuery, 'search' | 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.projects, 'list', filter.value]),
    queryFn: ({ signal }) => callApi('listProjects', { query: { ...filter.value }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** What a project holds now, asked anew whenever it is looked at: runs begin and end meanwhile. */
export function useProjectImpact(id: string) {
  return useQuery({
    queryKey: [IMPACT, id],
    queryFn: ({ signal }) => callApi('getProjectImpact', { params: { id }, signal }),
    gcTime: 0,
  });
}

/** What can be done to projects. Nearly every page names projects, and so does what the reader may do: everything is asked anew, but what a project held that may be gone. */
export function useProjectChanges() {
  const client = useQueryClient();
  const session = useSession();
  const onSuccess = () =>
    Promise.all([session.refresh(), client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== IMPACT })]);
  return {
    create: useMutation({ mutationFn: (name: string) => callApi('createProject', { body: { name } }), onSuccess }),
    rename: useMutation({
      mutationFn: ({ id, name }: { id: string; name: string }) => callApi('patchProject', { params: { id }, body: { name } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: ({ id, withRuns }: { id: string; withRuns: boolean }) =>
        callApi('removeProject', { params: { id }, query: { withRuns } }),
      onSuccess,
    }),
  };
}
