import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { changeQuery, useQueryWord } from '../router/query-state.js';

/** Words of the address by which a list is narrowed; empty ones do not narrow it. */
export function useFilterWords<Name extends string>(...names: Name[]) {
  const route = useRoute();
  const router = useRouter();
  const words = Object.fromEntries(names.map((name) => [name, useQueryWord(name)])) as Record<Name, WritableComputedRef<string>>;
  return {
    words,
    isFiltered: computed(() => names.some((name) => words[name].value !== '')),
    clear: () => changeQuery(route, router, Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}
