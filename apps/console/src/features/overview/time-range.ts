const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const rangeNames = ['hour', 'quarter', 'day', 'week'] as const;
export type RangeName = (typeof rangeNames)[number];

/** How far each named range looks back; a quarter of that lies ahead, so that what comes next is in sight. */
const lengths: Record<RangeName, number> = { hour: HOUR, quarter: 6 * HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR };
const SHORTEST = MINUTE;
const LONGEST = 31 * 24 * HOUR;

/** A range that moves with the present, or one that was chosen and stands still. */
export type TimeRange = { kind: 'live'; name: RangeName } | { kind: 'fixed'; fromMs: number; toMs: number };

export interface Bounds {
  fromMs: number;
  toMs: number;
}

/** Reads the words of the address; what cannot be read is the range of an hour. */
export function readRange(range: string, from: string, to: string): TimeRange {
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  if (fromMs < toMs && toMs - fromMs <= LONGEST) return { kind: 'fixed', fromMs, toMs };
  return { kind: 'live', name: rangeNames.find((name) => name === range) ?? 'hour' };
}

/** The instants a range stands for now. */
export function boundsOf(range: TimeRange, nowMs: number): Bounds {
  if (range.kind === 'fixed') return { fromMs: range.fromMs, toMs: range.toMs };
  const length = lengths[range.name];
  return { fromMs: nowMs - length, toMs: nowMs + length / 4 };
}

/** A stretch that was drawn with the pointer, in its order in time and long enough to see something in; null when it was a mere click. */
export function drawnRange(oneMs: number, otherMs: number, bounds: Bounds): Bounds | null {
  const fromMs = Math.max(bounds.fromMs, Math.min(oneMs, otherMs));
  const toMs = Math.min(bounds.toMs, Math.max(oneMs, otherMs));
  if (toMs - fromMs < (bounds.toMs - bounds.fromMs) / 200) return null;
  const missing = Math.max(0, SHORTEST - (toMs - fromMs)) / 2;
  return { fromMs: Math.round(fromMs - missing), toMs: Math.round(toMs + missing) };
}
