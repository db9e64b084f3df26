import { isTerminalRunState, isTerminalTaskRunState, type TaskRunState } from '@medley/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi, type QueryValue } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';
import type { RerunWish } from './rerun-wish.js';

/** Live events carry changes; this slow poll only mends what a lost event would leave stale. */
const mendMs = 15_000;

export interface RunFilter {
  [name: string]: QueryValue;
  state?: readonly string[];
  workflowId?: string;
  projectId?: string;
  scheduleId?: string;
  trigger?: string;
  backfillId?: string;
  parentRunId?: string;
  since?: string;
  until?: string;
  id?: string;
  sort?: string;
  page?: number;
  cursor?: string;
  limit?: number;
}

export function useRuns(filter: Ref<RunFilter>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.runs, filter.value]),
    queryFn: ({ signal }) => callApi('listRuns', { query: filter.value, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: mendMs,
  });
}

export function useRun(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => queryKeys.run(id.value)),
    queryFn: ({ signal }) => callApi('getRun', { params: { id: id.value }, signal }),
    refetchInterval: ({ state }) => (state.data && isTerminalRunState(state.data.state) ? false : mendMs),
  });
}

export function useRunTasks(id: Ref<string>, isLive: Ref<boolean>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.run(id.value), 'tasks']),
    queryFn: ({ signal }) => callApi('getRunTasks', { params: { id: id.value }, signal }),
    refetchInterval: computed(() => (isLive.value ? mendMs : false)),
  });
}

/** The tasks and needs of the version that a run executes; it never changes. Asked for by the run's id, so beside the run and not after it. */
export function useRunDag(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => ['run-dag', id.value]),
    queryFn: ({ signal }) => callApi('getRunDag', { params: { id: id.value }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useTaskRun(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => queryKeys.taskRun(id.value)),
    queryFn: ({ signal }) => callApi('getTaskRun', { params: { id: id.value }, signal }),
    enabled: computed(() => id.value !== ''),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && isTerminalTaskRunState(state.data.state) ? false : mendMs),
  });
}

const partsPage = 100;

/** Instances of a mapped task, page by page; asked anew while they run. */
export function useTaskParts(taskRunId: Ref<string>, state: Ref<string>, isLive: Ref<boolean>) {
  return useInfiniteQuery({
    queryKey: computed(() => [...queryKeys.taskRun(taskRunId.value), 'parts', state.value]),
    queryFn: ({ pageParam, signal }) =>
      callApi('listTaskRunParts', {
        params: { id: taskRunId.value },
        query: { limit: partsPage, cursor: pageParam || undefined, state: (state.value || undefined) as TaskRunState | undefined },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: computed(() => (isLive.value ? mendMs : false)),
  });
}

export function useWhy(taskRunId: Ref<string>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.taskRun(taskRunId.value), 'why']),
    queryFn: ({ signal }) => callApi('getWhy', { params: { id: taskRunId.value }, signal }),
  });
}

/** A decision never changes once it is taken. */
export function usePlacement(attemptId: Ref<string>) {
  return useQuery({
    queryKey: computed(() => ['placement', attemptId.value]),
    queryFn: ({ signal }) => callApi('getPlacement', { params: { id: attemptId.value }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** How many runs there are under a filter; asked anew less often than the runs themselves, since nobody watches it. */
export function useRunCount(filter: Ref<RunFilter>) {
  return useQuery({
    queryKey: computed(() => ['run-count', filter.value]),
    queryFn: ({ signal }) => callApi('countRuns', { query: filter.value, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: mendMs,
  });
}

/** Invalidated with every list of runs. */
export function useRunGrid(workflowId: Ref<string>, before: Ref<string>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.runs, 'grid', workflowId.value, before.value]),
    queryFn: ({ signal }) =>
      callApi('getRunGrid', { params: { id: workflowId.value }, query: { before: before.value || undefined, limit: 30 }, signal }),
    enabled: computed(() => workflowId.value !== ''),
    placeholderData: keepPreviousData,
    refetchInterval: mendMs,
  });
}

export function useRunAttempts(id: Ref<string>, isLive: Ref<boolean>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.run(id.value), 'attempts']),
    queryFn: ({ signal }) => callApi('getRunAttempts', { params: { id: id.value }, signal }),
    refetchInterval: computed(() => (isLive.value ? mendMs : false)),
  });
}

const historyPage = 100;

/** The history of a run page by page, all that were opened kept current. */
export function useRunHistory(id: Ref<string>, level: Ref<string>, order: Ref<string>) {
  return useInfiniteQuery({
    queryKey: computed(() => [...queryKeys.run(id.value), 'history', level.value, order.value]),
    queryFn: ({ pageParam, signal }) =>
      callApi('getRunHistory', {
        params: { id: id.value },
        query: {
          level: level.value === 'compact' ? 'compact' : 'full',
          order: order.value,
          limit: historyPage,
          cursor: pageParam || undefined,
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

export function useRerunPreview(id: Ref<string>, wish: Ref<RerunWish | null>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.run(id.value), 'rerun-preview', JSON.stringify(wish.value)]),
    queryFn: ({ signal }) => {
      const { mode, tasks, descendants } = wish.value!;
      return callApi('previewRerun', { params: { id: id.value }, query: { mode, tasks, descendants }, signal });
    },
    enabled: computed(() => wish.value !== null),
    placeholderData: keepPreviousData,
  });
}

const bulkMs = 700;

/** The reader's actions on many runs: asked often while one is under way. */
export function useRunBulks() {
  return useQuery({
    queryKey: ['run-bulks'],
    queryFn: ({ signal }) => callApi('listRunBulks', { signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(({ finishedAt }) => finishedAt === null) ? bulkMs : false),
  });
}

/** The working files of a task that has succeeded; they change only by expiring. */
export function useTaskFiles(id: Ref<string>, isWanted: Ref<boolean>) {
  return useQuery({
    queryKey: computed(() => [...queryKeys.taskRun(id.value), 'files']),
    queryFn: ({ signal }) => callApi('listTaskFiles', { params: { id: id.value }, signal }),
    enabled: isWanted,
  });
}
