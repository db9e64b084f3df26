import type { ChangeEvent } from '@medley/contracts';
import { restPath, restRoutes } from '@medley/contracts';
import { ref } from 'vue';
import { queryClient } from '../api/query-client.js';
import { affectedQueries } from './affected-queries.js';
import { InvalidationBatch } from './invalidation-batch.js';

export type LiveState = 'connecting' | 'live' | 'lost';

/** Shown in the top bar: whether what is on screen follows the server by itself. */
export const liveState = ref<LiveState>('connecting');

const RECONNECT_MS = 3_000;
const batch = new InvalidationBatch(queryClient);
const listeners = new Set<(changes: readonly ChangeEvent[]) => void>();
/** Called when rights may have changed or the session may have ended: the server ends the stream of one that did, and begins it anew after a change of roles. */
let whenInDoubt: () => void = () => {};
let hasBegun = false;
let source: EventSource | undefined;
let reconnect: ReturnType<typeof setTimeout> | undefined;

/** Opens the event stream; the browser reconnects a dropped one, a refused one is tried again here. */
export function startLiveEvents(): void {
  if (source !== undefined) return;
  source = new EventSource(restPath(restRoutes.streamEvents.path));
  source.addEventListener('hello', () => {
    // What happened while there was no connection is unknown, so everything on screen is fetched again.
    if (hasBegun) {
      void queryClient.invalidateQueries();
      whenInDoubt();
    }
    hasBegun = true;
    liveState.value = 'live';
  });
  source.addEventListener('changed', (event) => receive(JSON.parse(event.data) as ChangeEvent[]));
  source.addEventListener('error', () => {
    liveState.value = 'lost';
    whenInDoubt();
    if (source?.readyState === EventSource.CLOSED) startAgainLater();
  });
}

/** Who is asked, when the stream gives reason to, whether the session and its rights are still what they were. */
export function onSessionInDoubt(listener: () => void): void {
  whenInDoubt = listener;
}

export function stopLiveEvents(): void {
  hasBegun = false;
  clearTimeout(reconnect);
  source?.close();
  source = undefined;
  batch.stop();
  liveState.value = 'connecting';
}

/** Tells a listener about every change, e.g. a log that follows an attempt. Returns how to stop. */
export function onChanges(listener: (changes: readonly ChangeEvent[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function receive(changes: readonly ChangeEvent[]): void {
  batch.add(changes.flatMap(affectedQueries));
  for (const listener of listeners) listener(changes);
}

function startAgainLater(): void {
  source = undefined;
  clearTimeout(reconnect);
  reconnect = setTimeout(startLiveEvents, RECONNECT_MS);
}
