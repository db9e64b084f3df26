import { computed, type WritableComputedRef } from 'vue';
import { type LocationQueryRaw, type RouteLocationNormalizedLoaded, type Router, useRoute, useRouter } from 'vue-router';

/** One word of the address's query as a writable value, so that a link shows a colleague the same thing. */
export function useQueryWord(name: string, fallback = ''): WritableComputedRef<string> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get: () => firstWord(route, name) ?? fallback,
    set: (value) => changeQuery(route, router, { [name]: value === fallback ? undefined : value }),
  });
}

/** A list in one query word, parted by commas. */
export function useQueryList(name: string): WritableComputedRef<string[]> {
  const word = useQueryWord(name);
  return computed({
    get: () => (word.value === '' ? [] : word.value.split(',')),
    set: (list) => {
      word.value = list.join(',');
    },
  });
}

/** Changes words of the query and keeps the others; a changed filter begins at the first page. */
export function changeQuery(route: RouteLocationNormalizedLoaded, router: Router, change: LocationQueryRaw): void {
  const query: LocationQueryRaw = { ...route.query, ...change };
  if (!('after' in change)) delete query.after;
  if (!('page' in change)) delete query.page;
  void router.replace({ query, hash: route.hash });
}

export function firstWord(route: RouteLocationNormalizedLoaded, name: string): string | undefined {
  const value = route.query[name];
  return (Array.isArray(value) ? value[0] : value) ?? undefined;
}
