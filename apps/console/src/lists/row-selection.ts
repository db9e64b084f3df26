import { computed, type Ref } from 'vue';

/** Rows that are chosen by their keys, on the page that is shown and on others. */
export function useRowSelection(selected: Ref<string[] | undefined>, pageKeys: () => string[]) {
  const isChosen = (key: string) => selected.value?.includes(key) ?? false;
  const isWholePage = computed(() => pageKeys().length > 0 && pageKeys().every(isChosen));

  function turn(key: string): void {
    const others = (selected.value ?? []).filter((each) => each !== key);
    selected.value = isChosen(key) ? others : [...others, key];
  }

  function turnPage(): void {
    const others = (selected.value ?? []).filter((key) => !pageKeys().includes(key));
    selected.value = isWholePage.value ? others : [...others, ...pageKeys()];
  }

  return { isChosen, isWholePage, turn, turnPage };
}
