import { computed } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { firstWord } from '../router/query-state.js';

/** Cursor paging in the address: `after` is the page's cursor, and the browser's Back is the way back. */
export function useCursorPaging() {
  const route = useRoute();
  const router = useRouter();
  const cursor = computed(() => firstWord(route, 'after'));

  function goOn(nextCursor: string | null | undefined): void {
    if (nextCursor) void router.push({ query: { ...route.query, after: nextCursor } });
  }

  function goFirst(): void {
    void router.push({ query: { ...route.query, after: undefined } });
  }

  return { cursor, isFirst: computed(() => cursor.value === undefined), goOn, goFirst };
}
