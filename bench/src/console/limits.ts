import type { GraphTimes } from './measure-graph.js';
import type { ListTimes } from './measure-lists.js';
import type { FrameTimes } from './measure-log.js';

/** What the console is held to. */
export const consoleLimits = {
  graphMs: 2_000,
  listP95Ms: 300,
  logOpenMs: 1_000,
  /** Of all frames, what following a log may drop beyond the same page at rest, in percentage points. */
  droppedPoints: 2,
} as const;

export interface Held {
  graphs: Readonly<Record<string, Pick<GraphTimes, 'interactiveMs'>>>;
  lists: readonly Pick<ListTimes, 'name' | 'p95Ms'>[];
  log: { openMs: number; still: Pick<FrameTimes, 'droppedPercent'>; following: Pick<FrameTimes, 'droppedPercent'> };
}

/** Each limit that was missed, as a line for people; none when all were met. What could not be measured, NaN, has missed its limit. */
export function missedLimits({ graphs, lists, log }: Held): string[] {
  const times = [
    ...Object.entries(graphs).map(
      ([name, { interactiveMs }]) => [`the page of a ${name}, until interactive`, interactiveMs, consoleLimits.graphMs] as const,
    ),
    ...lists.map(({ name, p95Ms }) => [`the list "${name}", p95`, p95Ms, consoleLimits.listP95Ms] as const),
    ['the log, until its last line was in sight', log.openMs, consoleLimits.logOpenMs] as const,
  ];
  const missed = times
    .filter(([, ms, limit]) => !(ms <= limit))
    .map(([what, ms, limit]) => `${what}: ${ms.toFixed(0)} ms, at most ${limit} ms`);
  const points = log.following.droppedPercent - log.still.droppedPercent;
  if (points <= consoleLimits.droppedPoints) return missed;
  const [following, still] = [log.following, log.still].map(({ droppedPercent }) => `${droppedPercent.toFixed(1)} %`);
  return [
    ...missed,
    `frames dropped while following a log: ${following}, at most ${consoleLimits.droppedPoints} points above the still page's ${still}`,
  ];
}
