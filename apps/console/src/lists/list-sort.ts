import { computed, type WritableComputedRef } from 'vue';
import { useQueryWord } from '../router/query-state.js';
import type { ListColumn } from './list-column.js';

/** The order of a list, in the address. One that none of the columns knows, which another list has left there, counts as `first`. */
export function useListSort<Sort extends string>(columns: () => readonly ListColumn[], first: Sort): WritableComputedRef<Sort, string> {
  const word = useQueryWord('sort', first);
  return computed({
    get: () => (columns().some(({ sort }) => sort && [sort.ascending, sort.descending].includes(word.value)) ? word.value : first) as Sort,
    set: (next) => {
      word.value = next;
    },
  });
}
