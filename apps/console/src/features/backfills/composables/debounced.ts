import { onScopeDispose, type Ref, shallowRef, watch } from 'vue';

/** The value once it has not changed for so many milliseconds: what is typed is not asked for letter by letter. */
export function useDebounced<Value>(source: Readonly<Ref<Value>>, ms: number): Readonly<Ref<Value>> {
  const settled = shallowRef(source.value);
  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(source, (value) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      settled.value = value;
    }, ms);
  });
  onScopeDispose(() => clearTimeout(timer));
  return settled;
}
