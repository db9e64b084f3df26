import { computed } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { usePreferences } from '../../../preferences/preferences.store.js';
import { changeQuery, useQueryList, useQueryWord } from '../../../router/query-state.js';
import type { RunFilter } from '../runs.queries.js';

export const periodHours: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 168, month: 720 };

/** Rounded to the minute, so that the same address asks the same question. */
function sinceOf(period: string): string | undefined {
  const hours = periodHours[period];
  return hours === undefined ? undefined : new Date(Math.floor(Date.now() / 60_000) * 60_000 - hours * 3_600_000).toISOString();
}

/** Words of the address that say where one is in the list, not what it holds. */
export const placeWords = ['after', 'page', 'cell', 'older'];

/** The filter, the order and the place of the list of runs, all in the address. */
export function useRunListQuery() {
  const route = useRoute();
  const router = useRouter();
  const preferences = usePreferences();
  const words = {
    states: useQueryList('state'),
    workflowId: useQueryWord('workflow'),
    scheduleId: useQueryWord('schedule'),
    trigger: useQueryWord('trigger'),
    backfillId: useQueryWord('backfill'),
    parentRunId: useQueryWord('parent'),
    period: useQueryWord('period'),
    from: useQueryWord('from'),
    until: useQueryWord('until'),
    id: useQueryWord('id'),
    sort: useQueryWord('sort', 'newest'),
    page: useQueryWord('page', '1'),
    after: useQueryWord('after'),
  };
  const isId = computed(() => /^[0-9a-f-]{4,36}$/i.test(words.id.value));
  const filter = computed<RunFilter>(() => ({
    state: words.states.value,
    workflowId: words.workflowId.value || undefined,
    scheduleId: words.scheduleId.value || undefined,
    trigger: words.trigger.value || undefined,
    backfillId: words.backfillId.value || undefined,
    parentRunId: words.parentRunId.value || undefined,
    since: words.from.value || sinceOf(words.period.value),
    until: words.until.value || undefined,
    id: isId.value ? words.id.value : undefined,
    projectId: preferences.project ?? undefined,
  }));
  const isFiltered = computed(() =>
    [
      words.states.value.length > 0,
      ...['workflowId', 'scheduleId', 'trigger', 'backfillId', 'parentRunId', 'period', 'from', 'until', 'id'].map(
        (name) => words[name as 'id'].value,
      ),
    ].some(Boolean),
  );

  return {
    ...words,
    filter,
    isFiltered,
    page: computed(() => Math.max(1, Number.parseInt(words.page.value, 10) || 1)),
    /** With the cursor of the page before when one steps on, which nothing that is new can shift; without, by its number. */
    goTo: (page: number, after?: string | null) =>
      void router.push({
        query: { ...route.query, page: page > 1 ? String(page) : undefined, after: after && page > 1 ? after : undefined },
      }),
    clear: () => void router.replace({ query: route.query.view ? { view: route.query.view } : {} }),
    setRange: (from: string, until: string) => changeQuery(route, router, { from, until, period: undefined }),
    setPeriod: (period: string) => changeQuery(route, router, { from: undefined, until: undefined, period: period || undefined }),
  };
}
