import type { OverlapPolicy } from './schedule-rule.js';

/** What a schedule has begun that has not ended. */
export interface ActiveRuns {
  /** Runs that have not ended, the newest first. */
  runIds: readonly string[];
  /** Of these the newest that has not even begun: nothing of it was ever on a node. */
  waitingRunId: string | null;
}

export interface FiresToStart {
  policy: OverlapPolicy;
  /** Ascending. */
  fireAtMs: readonly number[];
  active: ActiveRuns;
  /** They have waited for a run already. */
  wereHeld: boolean;
}

export interface OverlapDecision {
  /** Fires to start runs for now. */
  startMs: number[];
  /** The oldest fire that waits; null when none does. */
  heldFromMs: number | null;
  /** The run that it waits for; null when it waits for the one that is started now. */
  heldByRunId: string | null;
  /** Runs to cancel. */
  cancelRunIds: readonly string[];
  /** The latest fire that starts no run because one is active. */
  passedOverMs: number | null;
}

const nothing: OverlapDecision = { startMs: [], heldFromMs: null, heldByRunId: null, cancelRunIds: [], passedOverMs: null };

/**
 * What becomes of planned fires while runs of the same schedule are active. `queue` starts one after another, `skip` passes fires over, `cancel-running` cancels and starts the
 * latest once the others have ended. `allow` starts all, but none while one that was started before has not begun: with no node at all there is one waiting run, and the
 * fires follow one by one as each has begun.
 */
export function decideOverlap({ policy, fireAtMs, active: { runIds, waitingRunId }, wereHeld }: FiresToStart): OverlapDecision {
  const [first] = fireAtMs;
  const last = fireAtMs.at(-1);
  if (first === undefined || last === undefined) return nothing;
  const [active] = runIds;
  switch (policy) {
    case 'allow':
      if (waitingRunId !== null) return { ...nothing, heldFromMs: first, heldByRunId: waitingRunId };
      return wereHeld ? oneByOne(fireAtMs) : { ...nothing, startMs: [...fireAtMs] };
    case 'skip':
      return active === undefined ? { ...nothing, startMs: [last] } : { ...nothing, passedOverMs: last };
    case 'queue':
      if (active !== undefined) return { ...nothing, heldFromMs: first, heldByRunId: active };
      return oneByOne(fireAtMs);
    case 'cancel-running':
      if (active === undefined) return { ...nothing, startMs: [last] };
      return { ...nothing, heldFromMs: last, heldByRunId: active, cancelRunIds: runIds };
  }
}

function oneByOne(fireAtMs: readonly number[]): OverlapDecision {
  return { ...nothing, startMs: fireAtMs.slice(0, 1), heldFromMs: fireAtMs[1] ?? null };
}
