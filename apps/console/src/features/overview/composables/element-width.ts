import { onBeforeUnmount, onMounted, type Ref, ref } from 'vue';

/** The width of an element in pixels, as it changes. */
export function useElementWidth(element: Readonly<Ref<HTMLElement | null>>): Ref<number> {
  const width = ref(0);
  const observer = new ResizeObserver(([entry]) => {
    width.value = Math.floor(entry!.contentRect.width);
  });
  onMounted(() => {
    if (element.value) observer.observe(element.value);
  });
  onBeforeUnmount(() => observer.disconnect());
  return width;
}
