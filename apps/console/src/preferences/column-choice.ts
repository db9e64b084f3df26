import { ref, watch } from 'vue';

const KEY = 'medley.columns';

function stored(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string[]>;
  } catch {
    return {};
  }
}

/** Which columns of a list a person wants to see, remembered by this browser. */
export function useColumnChoice(list: string, all: readonly string[], initial: readonly string[]) {
  const chosen = ref<string[]>((stored()[list] ?? initial).filter((column) => all.includes(column)));
  watch(chosen, (columns) => {
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...stored(), [list]: columns }));
    } catch {
      // A browser without storage forgets the choice; nothing else depends on it.
    }
  });
  return chosen;
}
