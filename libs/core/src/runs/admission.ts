/** What becomes of a run whose key has as many runs as it may have. cancel-running: those stop, and it starts once they have ended. */
export const conflictRules = ['queue', 'skip', 'cancel-running'] as const;
export type ConflictRule = (typeof conflictRules)[number];

/** How many runs of one workflow with the same key may be under way at the same time. */
export interface ConcurrencyRule {
  limit: number;
  onConflict: ConflictRule;
}

/** A run that has a key and has not ended, in the order of their creation. */
export interface KeyedRun extends ConcurrencyRule {
  runId: string;
  isAdmitted: boolean;
  isCancelling: boolean;
}

/** What becomes of a new run beside those of its key that have not ended: nothing passes a run that waits. */
export function decideAdmission(
  { limit, onConflict }: ConcurrencyRule,
  others: { admitted: number; waiting: number },
): 'start' | 'wait' | 'skip' {
  if (others.waiting === 0 && others.admitted < limit) return 'start';
  return onConflict === 'skip' ? 'skip' : 'wait';
}

/**
 * Which waiting runs of a key start now, in order, and which are cancelled because a later one replaces them. What is being cancelled counts until it has ended:
 * its processes may still run.
 */
export function planAdmissions(runs: readonly KeyedRun[]): { admit: string[]; cancel: string[] } {
  const replacing = runs.findLastIndex(({ isAdmitted, onConflict }) => !isAdmitted && onConflict === 'cancel-running');
  const replaced = new Set(runs.slice(0, Math.max(0, replacing)));
  const cancel = [...replaced].filter(({ isCancelling }) => !isCancelling).map(({ runId }) => runId);
  let admitted = runs.filter(({ isAdmitted }) => isAdmitted).length;
  const admit: string[] = [];
  for (const run of runs) {
    if (run.isAdmitted || replaced.has(run)) continue;
    if (admitted >= run.limit) break;
    admitted += 1;
    admit.push(run.runId);
  }
  return { admit, cancel };
}
