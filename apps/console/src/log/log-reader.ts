import type { LogPage } from '@medley/contracts';
import { onScopeDispose, type Ref, ref, shallowRef, triggerRef, watch } from 'vue';
import { callApi } from '../api/api-client.js';
import { onChanges } from '../live/live-events.js';
import { LogBuffer } from './log-buffer.js';

const pageBytes = 1_048_576;
const pollMs = 1_000;

/** What has been read of a log, and from where to read on. */
function logSoFar() {
  const buffer = shallowRef(new LogBuffer());
  const isComplete = ref(false);
  const hasAnswered = ref(false);
  const error = shallowRef<unknown>(null);
  let after: string | undefined;

  function take(page: LogPage): void {
    after = page.next;
    buffer.value.append(page.parts);
    hasAnswered.value = true;
    isComplete.value = page.complete;
    if (page.parts.length > 0) triggerRef(buffer);
  }

  function forget(): void {
    after = undefined;
    buffer.value = new LogBuffer();
    isComplete.value = false;
    hasAnswered.value = false;
    error.value = null;
  }

  return { shown: { buffer, isComplete, hasAnswered, error }, readFrom: () => after, take, forget };
}

/** Reads the log of an attempt from its beginning and follows it until it is complete. */
export function useLogReader(attemptId: Ref<string | null>) {
  const { shown, readFrom, take, forget } = logSoFar();
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function readOn(id: string, signal: AbortSignal): Promise<void> {
    clearTimeout(timer);
    try {
      let page: LogPage;
      do {
        page = await callApi('getLog', { params: { id }, query: { after: readFrom(), limit: pageBytes }, signal });
        if (signal.aborted) return;
        take(page);
      } while (page.parts.length > 0 && !page.complete);
      shown.error.value = null;
      if (!page.complete) timer = setTimeout(() => readOn(id, signal), pollMs);
    } catch (cause) {
      if (signal.aborted) return;
      shown.error.value = cause;
      timer = setTimeout(() => readOn(id, signal), pollMs * 3);
    }
  }

  function restart(): void {
    abort.abort();
    abort = new AbortController();
    clearTimeout(timer);
    forget();
    if (attemptId.value !== null) void readOn(attemptId.value, abort.signal);
  }

  const stopListening = onChanges((changes) => {
    const isOurs = changes.some((change) => change.entity === 'attempt' && change.id === attemptId.value);
    if (!isOurs || shown.isComplete.value || timer === undefined || attemptId.value === null) return;
    clearTimeout(timer);
    timer = setTimeout(() => readOn(attemptId.value!, abort.signal), 50);
  });

  watch(attemptId, restart, { immediate: true });
  onScopeDispose(() => {
    stopListening();
    abort.abort();
    clearTimeout(timer);
  });
  return { ...shown, restart };
}
