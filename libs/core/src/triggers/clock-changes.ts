import { offsetMs } from './zone.js';

/** An instant at which the clocks of a zone are put forward or back. Offsets are milliseconds ahead of UTC. */
export interface ClockChange {
  atMs: number;
  beforeMs: number;
  afterMs: number;
}

const dayMs = 86_400_000;
/** Clocks stay as they are for weeks at least: the shortest summer times known are interrupted for a month. */
const stepMs = 7 * dayMs;
const mostYears = 4000;
const known = new Map<string, readonly ClockChange[]>();

/** The first change of clocks after an instant and not after another; null when there is none. */
export function nextClockChange(zone: string, afterMs: number, untilMs: number): ClockChange | null {
  const lastYear = yearOf(untilMs);
  for (let year = yearOf(afterMs); year <= lastYear; year++) {
    const change = changesOf(zone, year).find(({ atMs }) => atMs > afterMs);
    if (change !== undefined) return change.atMs <= untilMs ? change : null;
  }
  return null;
}

/** The change back whose hour comes a second time at an instant; null at any other. */
export function secondPassAt(zone: string, instantMs: number): ClockChange | null {
  const change = nextClockChange(zone, instantMs - dayMs, instantMs);
  if (change === null || change.afterMs > change.beforeMs) return null;
  return instantMs < change.atMs + change.beforeMs - change.afterMs ? change : null;
}

const yearOf = (instantMs: number) => new Date(instantMs).getUTCFullYear();

function changesOf(zone: string, year: number): readonly ClockChange[] {
  if (zone === 'UTC') return [];
  const key = `${zone} ${year}`;
  let changes = known.get(key);
  if (changes === undefined) {
    if (known.size >= mostYears) known.clear();
    changes = findChanges(zone, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1));
    known.set(key, changes);
  }
  return changes;
}

function findChanges(zone: string, fromMs: number, toMs: number): ClockChange[] {
  const changes: ClockChange[] = [];
  let beforeMs = offsetMs(fromMs - 1, zone);
  for (let startMs = fromMs - 1; startMs < toMs - 1; startMs += stepMs) {
    const endMs = Math.min(startMs + stepMs, toMs - 1);
    const afterMs = offsetMs(endMs, zone);
    if (afterMs !== beforeMs) changes.push({ atMs: firstWith(zone, startMs, endMs, afterMs), beforeMs, afterMs });
    beforeMs = afterMs;
  }
  return changes;
}

/** The first instant with an offset, which comes after one instant and not after another. Clocks change on whole seconds. */
function firstWith(zone: string, beforeMs: number, atMs: number, wantedMs: number): number {
  let low = Math.floor(beforeMs / 1000);
  let high = Math.ceil(atMs / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle * 1000, zone) === wantedMs) high = middle;
    else low = middle;
  }
  return high * 1000;
}
