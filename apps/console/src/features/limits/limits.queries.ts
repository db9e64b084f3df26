import {
  type CreateLimit,
  type LimitDetail,
  type LimitQuery,
  type LimitView,
  PAGE_LIMIT_MAX,
  type PatchLimit,
  type PutQuota,
} from '@medley/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** Who holds what changes with every task: asked anew, since no single event tells it. */
const REFRESH_MS = 3000;

/** Where a limit is: a project, or null for the platform. */
export type LimitAt = Pick<LimitView, 'id' | 'projectId'>;

export function useLimits(filter: Ref<Partial<Pick<LimitQuery, 'projectId' | 'sort' | 'cursor'>>>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.limits, 'list', filter.value]),
    queryFn: ({ signal }) => callApi('listLimits', { query: { ...filter.value }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** The limits that a task of a project may name, as they were when they were first needed. */
export function useLimitChoices(projectId: Ref<string | undefined>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.limits, 'choices', projectId.value]),
    queryFn: ({ signal }) => callApi('listLimits', { query: { projectId: projectId.value, sort: 'name', limit: PAGE_LIMIT_MAX }, signal }),
    enabled: computed(() => projectId.value !== undefined),
    select: ({ items }) => items.filter(({ kind }) => kind === 'limit'),
  });
}

export function useLimit({ id, projectId }: LimitAt) {
  return useQuery({
    queryKey: [...queryKeys.limits, 'one', id],
    queryFn: ({ signal }): Promise<LimitDetail> =>
      projectId === null
        ? callApi('getPlatformLimit', { params: { id }, signal })
        : callApi('getLimit', { params: { id: projectId, limitId: id }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

export function useLimitChanges() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKeys.limits });
  return {
    create: useMutation({
      mutationFn: ({ projectId, body }: { projectId: string | null; body: CreateLimit }) =>
        projectId === null ? callApi('createPlatformLimit', { body }) : callApi('createLimit', { params: { id: projectId }, body }),
      onSuccess,
    }),
    patch: useMutation({
      mutationFn: ({ id, projectId, body }: LimitAt & { body: PatchLimit }) =>
        projectId === null
          ? callApi('patchPlatformLimit', { params: { id }, body })
          : callApi('patchLimit', { params: { id: projectId, limitId: id }, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: ({ id, projectId }: LimitAt) =>
        projectId === null
          ? callApi('removePlatformLimit', { params: { id } })
          : callApi('removeLimit', { params: { id: projectId, limitId: id } }),
      onSuccess,
    }),
  };
}

export function useQuotas() {
  return useQuery({
    queryKey: queryKeys.quotas,
    queryFn: ({ signal }) => callApi('listQuotas', { signal }),
    refetchInterval: REFRESH_MS,
  });
}

export function useRunKeys() {
  return useQuery({
    queryKey: queryKeys.runKeys,
    queryFn: ({ signal }) => callApi('listRunKeys', { signal }),
    refetchInterval: REFRESH_MS,
  });
}

export function usePutQuota() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ projectId, body }: { projectId: string; body: PutQuota }) => callApi('putQuota', { params: { id: projectId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.quotas }),
  });
}
