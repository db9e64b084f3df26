import { onScopeDispose, type Ref, readonly, ref } from 'vue';

const now = ref(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The present, shared by everything on screen that counts seconds; it stands still while nothing does. */
export function useNow(): Readonly<Ref<number>> {
  users += 1;
  if (timer === undefined) {
    now.value = Date.now();
    timer = setInterval(() => {
      if (!document.hidden) now.value = Date.now();
    }, 1000);
  }
  onScopeDispose(() => {
    users -= 1;
    if (users > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
  return readonly(now);
}
