/** How often a task is tried. `attempts` counts the first try, so 1 means no retry. */
export interface RetryPolicy {
  attempts: number;
  delaySeconds: number;
  backoff: 'fixed' | 'exponential';
  maxDelaySeconds: number;
}

export interface FailedAttempt {
  outcome: 'failed' | 'timed_out' | 'lost';
  /** One-based number of the attempt that just ended, lost ones counted. */
  attemptNumber: number;
  /** How many attempts of this task run were lost, this one included. */
  lostCount: number;
  retry: RetryPolicy;
  /** How many lost attempts are tried again, apart from `retry.attempts`. */
  lostBudget?: number;
  /** In [0, 1): spreads retries that fail together. */
  random: number;
}

/** `delaySeconds` is what the policy says; `jittered` is up to a tenth more and is what to wait. */
export type RetryDecision = { retry: true; delaySeconds: number; jittered: number } | { retry: false };

export const defaultLostBudget = 3;
const jitterShare = 0.1;

/** Whether an attempt that did not succeed is followed by another, and after how long. A lost one is not the task's fault: it waits for nothing. */
export function decideAfterFailure(attempt: FailedAttempt): RetryDecision {
  if (attempt.outcome === 'lost') {
    const budget = attempt.lostBudget ?? defaultLostBudget;
    return attempt.lostCount <= budget ? { retry: true, delaySeconds: 0, jittered: 0 } : { retry: false };
  }
  const tries = attempt.attemptNumber - attempt.lostCount;
  if (tries >= attempt.retry.attempts) return { retry: false };
  const delaySeconds = delayAfter(tries, attempt.retry);
  return { retry: true, delaySeconds, jittered: delaySeconds * (1 + jitterShare * attempt.random) };
}

/** The delay after the n-th try: always the same, or doubled each time up to the maximum. */
function delayAfter(tries: number, retry: RetryPolicy): number {
  const delay = retry.backoff === 'fixed' ? retry.delaySeconds : retry.delaySeconds * 2 ** (tries - 1);
  return Math.min(delay, retry.maxDelaySeconds);
}
