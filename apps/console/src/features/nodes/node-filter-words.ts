import { type NodeFilter, type NodeSort, nodeFilterSchema, nodeSortSchema } from '@medley/contracts';
import { computed } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { changeQuery, firstWord } from '../../router/query-state.js';

/** The filter of the node list as the address has it; an empty word does not filter. */
export interface NodeFilterWords {
  search: string;
  labels: string;
  pool: string;
  state: string;
  service: string;
}

const names = ['search', 'labels', 'pool', 'state', 'service'] as const;

/** Words as a filter of the API; a word that is none, as in an old link, does not filter. */
export function filterOf({ pool, ...words }: NodeFilterWords): NodeFilter {
  const given = Object.entries({ ...words, poolId: pool }).filter(([, value]) => value !== '');
  const valid = given.filter(([name, value]) => nodeFilterSchema.shape[name as keyof NodeFilter].safeParse(value).success);
  return Object.fromEntries(valid) as NodeFilter;
}

/** Filter and order of the list, kept in the address. */
export function useNodeFilter() {
  const route = useRoute();
  const router = useRouter();
  const words = computed<NodeFilterWords>({
    get: () => Object.fromEntries(names.map((name) => [name, firstWord(route, name) ?? ''])) as unknown as NodeFilterWords,
    set: (next) => changeQuery(route, router, Object.fromEntries(names.map((name) => [name, next[name] || undefined]))),
  });
  const sort = computed<NodeSort, string>({
    get: () => nodeSortSchema.catch('name').parse(firstWord(route, 'sort') ?? 'name'),
    set: (next) => changeQuery(route, router, { sort: next === 'name' ? undefined : next }),
  });
  return { words, sort, filter: computed(() => filterOf(words.value)) };
}
