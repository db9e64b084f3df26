import { nextClockChange, secondPassAt } from './clock-changes.js';
import type { GapPolicy, OverlapHourPolicy } from './schedule-rule.js';
import { offsetMs } from './zone.js';

export interface WallTimes {
  zone: string;
  /** The first time strictly after another on a clock that is never changed, both as `wallClock` tells them. */
  nextWall: (wallMs: number) => number | null;
  gap: GapPolicy;
  overlapHour: OverlapHourPolicy;
}

const dayMs = 86_400_000;

/**
 * The first instant strictly after another at which the clocks of the zone show one of the times. It walks from one change of clocks to the next: between two
 * of them clocks are as good as never changed. At a change forward `shift` fires once if any time is left out; at a change back `once` passes the second
 * hour over.
 */
export function nextWallFire({ zone, nextWall, gap, overlapHour }: WallTimes, afterMs: number): number | null {
  let atMs = afterMs;
  let offset = offsetMs(atMs, zone);
  const repeats = overlapHour === 'once' ? secondPassAt(zone, atMs) : null;
  let floor = repeats === null ? atMs + offset : Math.max(atMs + offset, repeats.atMs + repeats.beforeMs - 1);
  for (;;) {
    const wall = nextWall(floor);
    const change = nextClockChange(zone, atMs, wall === null ? atMs + dayMs : wall - offset);
    if (change === null) return wall === null ? null : wall - offset;
    const isForward = change.afterMs > change.beforeMs;
    const isLeftOut = isForward && wall !== null && wall < change.atMs + change.afterMs;
    if (isLeftOut && gap === 'shift') return change.atMs;
    atMs = change.atMs;
    offset = change.afterMs;
    floor = atMs + (isForward || overlapHour === 'twice' ? change.afterMs : change.beforeMs) - 1;
  }
}
