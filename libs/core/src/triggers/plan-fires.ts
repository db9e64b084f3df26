import type { FireRule } from './fire-rule.js';

/** What to do with fires that were missed while no server ran. `max` belongs to `run-all`: how many of the latest are made up for. */
export interface MisfirePolicy {
  policy: 'skip' | 'run-once' | 'run-all';
  max: number;
}

export interface DueSchedule {
  rule: FireRule;
  /** The fire that is due, as stored. */
  nextFireAtMs: number;
  nowMs: number;
  policy: MisfirePolicy;
  /** A fire later than this counts as missed. */
  onTimeSeconds?: number;
  /** From this fire on the schedule waited for a run of its own: those are late, but not missed. */
  heldFromMs?: number | null;
}

export interface FirePlan {
  /** Fire times to start runs for, ascending; none is later than now. */
  fireAtMs: number[];
  /** The fire to store next, strictly after now; null when none ever comes. */
  nextFireAtMs: number | null;
  /** Whether missed fires are passed over. How many is not counted: after a long downtime that would cost more than firing. */
  skippedSome: boolean;
}

export const defaultOnTimeSeconds = 60;
/** So many fires wait for a run to end; older ones are passed over. */
export const maxHeldFires = 100;

/**
 * Which fires of a due schedule become runs. Fires on time always do. Of missed ones `skip` takes none, `run-once` the latest unless
 * a fire on time already makes up for it, `run-all` the latest `max`. The work is bounded however long the downtime was.
 */
export function planFires(due: DueSchedule): FirePlan {
  const { rule, nextFireAtMs, nowMs, policy, onTimeSeconds = defaultOnTimeSeconds, heldFromMs = null } = due;
  if (nextFireAtMs > nowMs) return { fireAtMs: [], nextFireAtMs, skippedSome: false };
  const onTimeFromMs = Math.min(nowMs - onTimeSeconds * 1000, heldFromMs ?? Number.POSITIVE_INFINITY);
  const fromMs = Math.max(nextFireAtMs, onTimeFromMs);
  const onTime = heldFromMs === null ? firesBetween(rule, fromMs, nowMs) : latestBetween(rule, fromMs, nowMs, maxHeldFires);
  const madeUpFor = latestBetween(rule, nextFireAtMs, onTimeFromMs - 1, madeUpCount(policy, onTime.length > 0));
  const fireAtMs = [...madeUpFor, ...onTime];
  return { fireAtMs, nextFireAtMs: rule.nextAfter(nowMs), skippedSome: fireAtMs[0] !== nextFireAtMs };
}

function madeUpCount({ policy, max }: MisfirePolicy, someOnTime: boolean): number {
  if (policy === 'run-all') return max;
  return policy === 'run-once' && !someOnTime ? 1 : 0;
}

/** Fires from an instant to another, both included. */
function firesBetween(rule: FireRule, fromMs: number, toMs: number): number[] {
  const fires: number[] = [];
  let next = rule.nextAfter(fromMs - 1);
  while (next !== null && next <= toMs) {
    fires.push(next);
    next = rule.nextAfter(next);
  }
  return fires;
}

/**
 * The latest `count` fires between two instants. Rules can only be walked forwards, so the window before the end is doubled until it
 * holds enough; a schedule by the second is thus not walked through a month of downtime.
 */
function latestBetween(rule: FireRule, fromMs: number, toMs: number, count: number): number[] {
  if (fromMs > toMs || count <= 0) return [];
  let windowMs = 60_000;
  for (;;) {
    const startMs = Math.max(fromMs, toMs - windowMs);
    const fires = firesBetween(rule, startMs, toMs);
    if (fires.length >= count || startMs === fromMs) return fires.slice(-count);
    windowMs *= 2;
  }
}
