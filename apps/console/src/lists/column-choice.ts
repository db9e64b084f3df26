import { computed, reactive, type WritableComputedRef } from 'vue';
import type { ListColumn } from './list-column.js';

const KEY = 'medley.columns';
const chosenByList = reactive<Record<string, string[]>>(stored());

function stored(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string[]>;
  } catch {
    return {};
  }
}

function store(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(chosenByList));
  } catch {
    // A browser without storage forgets the choice; nothing else depends on it.
  }
}

/** Names of the columns of a list that a person wants to see, remembered by this browser. Without a name for the list there is no choice. */
export function useColumnChoice(list: () => string | undefined, columns: () => readonly ListColumn[]): WritableComputedRef<string[]> {
  return computed({
    get: () => {
      const name = list();
      const chosen = name === undefined ? undefined : chosenByList[name];
      const isShown = ({ name, isExtra, isFixed }: ListColumn) => isFixed || (chosen?.includes(name) ?? !isExtra);
      return columns()
        .filter(isShown)
        .map((column) => column.name);
    },
    set: (names) => {
      const name = list();
      if (name === undefined) return;
      chosenByList[name] = names;
      store();
    },
  });
}
