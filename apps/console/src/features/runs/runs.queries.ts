import { isTerminalRunState, isTerminalTaskRunState } from '@medley/core';
import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi, type QueryValue } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';

/** Live events carry changes; this slow poll only mends what a lost event would leave stale. */
const mendMs = 15_000;

export interface RunFilter {
  [name: string]: QueryValue;
  state?: readonly string[];
  workflowId?: string;
  projectId?: string;
  scheduleId?: string;
  trigger?: string;
  since?: string;
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

/** The tasks and needs of the version that a run executes; it never changes. */
export function useRunDag(workflowId: Ref<string | undefined>, version: Ref<number | undefined>) {
  return useQuery({
    queryKey: computed(() => ['workflow-dag', workflowId.value ?? '', String(version.value)]),
    queryFn: ({ signal }) => callApi('getWorkflowDag', { params: { id: workflowId.value! }, query: { version: version.value }, signal }),
    enabled: computed(() => workflowId.value !== undefined && version.value !== undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useTaskRun(id: Ref<string>) {
  return useQuery({
    queryKey: computed(() => queryKeys.taskRun(id.value)),
    queryFn: ({ signal }) => callApi('getTaskRun', { params: { id: id.value }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && isTerminalTaskRunState(state.data.state) ? false : mendMs),
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
