import type { SearchHit } from '@medley/contracts';
import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { type ComputedRef, computed, type Ref, ref, watch } from 'vue';
import { callApi } from '../../api/api-client.js';
import { usePreferences } from '../../preferences/preferences.store.js';
import { searchedText } from './palette-entry.js';

const PAUSE_MS = 120;

/** What the server finds for the text without the verb that it begins with, once typing pauses. */
export function usePaletteSearch(
  text: Ref<string>,
  verbs: Ref<readonly string[]>,
): { hits: ComputedRef<readonly SearchHit[]>; isSearching: Ref<boolean> } {
  const preferences = usePreferences();
  const asked = ref('');
  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(text, (next) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      asked.value = searchedText(next, verbs.value);
    }, PAUSE_MS);
  });
  const search = useQuery({
    queryKey: computed(() => ['search', asked.value, preferences.project ?? '']),
    queryFn: ({ signal }) => callApi('search', { query: { text: asked.value, projectId: preferences.project ?? undefined }, signal }),
    enabled: computed(() => asked.value !== ''),
    placeholderData: keepPreviousData,
  });
  return {
    hits: computed(() => (asked.value === '' ? [] : (search.data.value?.items ?? []))),
    isSearching: computed(() => search.isFetching.value || searchedText(text.value, verbs.value) !== asked.value),
  };
}
