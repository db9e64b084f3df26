import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, type Ref } from 'vue';
import { callApi } from '../../api/api-client.js';
import { queryKeys } from '../../api/query-keys.js';
import { usePreferences } from '../../preferences/preferences.store.js';
import { boundsOf, type TimeRange } from './time-range.js';

/** Load and counts over time come in steps of half a minute at the shortest, so that they need not follow every event. */
const STEPS_MS = 15_000;
const MEND_MS = 10_000;

function projectQuery() {
  const preferences = usePreferences();
  return computed(() => ({ projectId: preferences.project ?? undefined }));
}

export function useOverview() {
  const project = projectQuery();
  return useQuery({
    queryKey: computed(() => [...queryKeys.overview, project.value]),
    queryFn: ({ signal }) => callApi('getOverview', { query: project.value, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: MEND_MS,
  });
}

/** Runs and fires of the range; live events bring it up to date. */
export function useTimeline(range: Ref<TimeRange>) {
  const project = projectQuery();
  return useQuery({
    queryKey: computed(() => [...queryKeys.overview, 'timeline', range.value, project.value]),
    queryFn: ({ signal }) => callApi('getTimeline', { query: { ...instantsOf(range.value), ...project.value }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: MEND_MS,
  });
}

export function useActivity(range: Ref<TimeRange>) {
  const project = projectQuery();
  return useQuery({
    queryKey: computed(() => ['history', 'activity', range.value, project.value]),
    queryFn: ({ signal }) => callApi('getActivity', { query: { ...instantsOf(range.value), ...project.value }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: STEPS_MS,
  });
}

export function useClusterLoad(range: Ref<TimeRange>) {
  return useQuery({
    queryKey: computed(() => ['history', 'cluster-load', range.value]),
    queryFn: ({ signal }) => callApi('getClusterLoad', { query: instantsOf(range.value), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: STEPS_MS,
  });
}

/** A live range is asked for as it stands at the time of asking. */
function instantsOf(range: TimeRange): { from: string; to: string } {
  const { fromMs, toMs } = boundsOf(range, Date.now());
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
