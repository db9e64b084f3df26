import type { LogPage, LogPart } from '@medley/contracts';
import { onScopeDispose, type Ref, ref, shallowRef, triggerRef, watch } from 'vue';
import { callApi } from '../api/api-client.js';
import { onChanges } from '../live/live-events.js';
import { LogBuffer } from './log-buffer.js';

const pageBytes = 2_097_152;
const tailBytes = 262_144;
const pollMs = 1_000;
/** Of a frame, what may be spent on lines that are not in sight. */
const sliceMs = 6;

/** What has been read of a log, and from where to read on. `isPartial` while only its end is there. */
function logSoFar() {
  const buffer = shallowRef(new LogBuffer());
  const isComplete = ref(false);
  const isPartial = ref(false);
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

  /** The end of a long log, to be seen until all of it is there. */
  function takeTail(page: LogPage): void {
    isPartial.value = !page.isStart;
    take(page);
  }

  function takeWhole(whole: LogBuffer, page: LogPage): void {
    after = page.next;
    buffer.value = whole;
    isPartial.value = false;
    isComplete.value = page.complete;
  }

  function forget(): void {
    after = undefined;
    buffer.value = new LogBuffer();
    isComplete.value = false;
    isPartial.value = false;
    hasAnswered.value = false;
    error.value = null;
  }

  return { shown: { buffer, isComplete, isPartial, hasAnswered, error }, readFrom: () => after, take, takeTail, takeWhole, forget };
}

/** Assembles lines between frames, so that the page stays quick while a long log is read. */
async function appendInSlices(buffer: LogBuffer, parts: readonly LogPart[], signal: AbortSignal): Promise<void> {
  let begun = performance.now();
  for (const part of parts) {
    buffer.append([part]);
    if (performance.now() - begun < sliceMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return;
    begun = performance.now();
  }
}

const readPage = (id: string, query: Record<string, string | number | boolean | undefined>, signal: AbortSignal): Promise<LogPage> =>
  callApi('getLog', { params: { id }, query, signal });

/** Reads a log: its end first, which is what one looks for, then all of it, then what is added until it is complete. */
export function useLogReader(attemptId: Ref<string | null>) {
  const { shown, readFrom, take, takeTail, takeWhole, forget } = logSoFar();
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function readOn(id: string, signal: AbortSignal): Promise<void> {
    clearTimeout(timer);
    try {
      if (!shown.hasAnswered.value) takeTail(await readPage(id, { tail: true, limit: tailBytes }, signal));
      if (shown.isPartial.value) await readWhole(id, signal);
      let page: LogPage | null = null;
      while (!shown.isComplete.value && page?.parts.length !== 0) {
        page = await readPage(id, { after: readFrom(), limit: pageBytes }, signal);
        if (signal.aborted) return;
        take(page);
      }
      shown.error.value = null;
      if (!signal.aborted && !shown.isComplete.value) timer = setTimeout(() => readOn(id, signal), pollMs);
    } catch (cause) {
      if (signal.aborted) return;
      shown.error.value = cause;
      timer = setTimeout(() => readOn(id, signal), pollMs * 3);
    }
  }

  async function readWhole(id: string, signal: AbortSignal): Promise<void> {
    const whole = new LogBuffer();
    let page: LogPage | null = null;
    do {
      page = await readPage(id, { after: page?.next, limit: pageBytes }, signal);
      await appendInSlices(whole, page.parts, signal);
      if (signal.aborted) return;
    } while (page.parts.length > 0 && !page.complete);
    takeWhole(whole, page);
  }

  function restart(): void {
    abort.abort();
    abort = new AbortController();
    clearTimeout(timer);
    forget();
    if (attemptId.value !== null) void readOn(attemptId.value, abort.signal);
  }

  const stopListening = onChanges((changes) => {
    const isOurs = changes.some(({ entity, id }) => (entity === 'log' || entity === 'attempt') && id === attemptId.value);
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
