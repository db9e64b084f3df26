import { type ComputedRef, computed, type InjectionKey, inject, provide, type Ref, ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useNow } from '../../../format/clock.js';
import { firstWord } from '../../../router/query-state.js';
import { type Bounds, boundsOf, type RangeName, readRange, type TimeRange } from '../time-range.js';

/** The axis of a live range moves on this often; the data in it come when they come. */
const STEP_MS = 5_000;

export interface OverviewRange {
  range: ComputedRef<TimeRange>;
  bounds: ComputedRef<Bounds>;
  nowMs: ComputedRef<number>;
  /** The instant under the pointer, in whichever chart it is. */
  cursorMs: Ref<number | null>;
  /** The same, only while the pointer is in the timeline: charts follow this one and tell `cursorMs` themselves. */
  timelineCursorMs: Ref<number | null>;
  choose: (name: RangeName) => void;
  zoom: (bounds: Bounds) => void;
}

const key: InjectionKey<OverviewRange> = Symbol('overview range');

/** The one range of time that all of the overview shows. It stands in the address, so that Back leads out of a zoom. */
export function provideOverviewRange(): OverviewRange {
  const route = useRoute();
  const router = useRouter();
  const now = useNow();
  const word = (name: string) => firstWord(route, name) ?? '';
  const range = computed(() => readRange(word('range'), word('from'), word('to')));
  const nowMs = computed(() => Math.floor(now.value / STEP_MS) * STEP_MS);
  const bounds = computed(() => boundsOf(range.value, nowMs.value));
  const go = (words: Record<string, string | undefined>) => void router.push({ query: { ...route.query, ...words } });
  const overviewRange: OverviewRange = {
    range,
    bounds,
    nowMs,
    cursorMs: ref(null),
    timelineCursorMs: ref(null),
    choose: (name) => go({ range: name === 'hour' ? undefined : name, from: undefined, to: undefined }),
    zoom: ({ fromMs, toMs }) => go({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }),
  };
  provide(key, overviewRange);
  return overviewRange;
}

export function useOverviewRange(): OverviewRange {
  const found = inject(key);
  if (found === undefined) throw new Error('No overview range is provided');
  return found;
}
