import { computed, nextTick, type Ref, ref, shallowRef, watch } from 'vue';

/** A row as it is shown. One that is gone is no longer on the page and only keeps its place until the reader has left the rows. */
export interface HeldRow<Item> {
  key: string;
  item: Item;
  isGone: boolean;
}

/** The rows `shown` in their places with the values of `items`. What has gone keeps its place but for `pressed`, whose going is what the reader wanted; what is new is left out. */
export function keepPlaces<Item>(
  shown: readonly HeldRow<Item>[],
  items: readonly Item[],
  keyOf: (item: Item) => string,
  pressed: ReadonlySet<string>,
): HeldRow<Item>[] {
  const fresh = new Map(items.map((item) => [keyOf(item), item]));
  return shown
    .filter(({ key }) => fresh.has(key) || !pressed.has(key))
    .map(({ key, item }) => ({ key, item: fresh.get(key) ?? item, isGone: !fresh.has(key) }));
}

/**
 * The rows of a list, which stay in their places while the reader points at them or has the focus in them by keyboard: they take new values, new rows wait and are counted, and the
 * new order comes once the reader leaves `area`, or by `release`. Another page, told by `address` and by nothing in common or by `isOnlyOld`, is shown at once.
 */
export function useHeldRows<Item>(
  area: Ref<HTMLElement | null>,
  list: { items: () => readonly Item[]; keyOf: (item: Item) => string; isOnlyOld: () => boolean; address: () => string },
) {
  const { items, keyOf } = list;
  const follow = () => items().map((item): HeldRow<Item> => ({ key: keyOf(item), item, isGone: false }));
  const rows = shallowRef<HeldRow<Item>[]>(follow());
  const isPointed = ref(false);
  const isFocused = ref(false);
  const isHeld = computed(() => isPointed.value || isFocused.value);
  const pressed = new Set<string>();
  let heldAt = list.address();

  function release(): void {
    isPointed.value = false;
    isFocused.value = false;
  }

  function isOtherPage(): boolean {
    const keys = new Set(items().map(keyOf));
    return keys.size === 0 || (list.address() !== heldAt && !rows.value.some(({ key }) => keys.has(key)));
  }

  watch(items, () => {
    if (isHeld.value && isOtherPage()) release();
    rows.value = isHeld.value ? keepPlaces(rows.value, items(), keyOf, pressed) : follow();
    void nextTick(() => {
      if (isFocused.value && !area.value?.contains(document.activeElement)) isFocused.value = false;
    });
  });
  watch(list.isOnlyOld, (isOnlyOld) => isOnlyOld && release());
  watch(isHeld, (held) => {
    heldAt = list.address();
    pressed.clear();
    if (!held) rows.value = follow();
  });

  return {
    rows,
    newCount: computed(() => items().length - rows.value.filter(({ isGone }) => !isGone).length),
    press: (key: string) => void pressed.add(key),
    release,
    /** Listeners of the area. Only a pointer that moves holds: rows that appear beneath one at rest, or get the focus back from a dialog it closed, do not. */
    holding: {
      pointermove: () => {
        isPointed.value = true;
      },
      pointerleave: () => {
        isPointed.value = false;
      },
      focusin: ({ target }: FocusEvent) => {
        if ((target as Element).matches(':focus-visible')) isFocused.value = true;
      },
      focusout: ({ relatedTarget }: FocusEvent) => {
        if (!area.value?.contains(relatedTarget as Node | null)) isFocused.value = false;
      },
    },
  };
}
