import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideAfterFailure, type RetryPolicy } from './index.js';

const policy = fc.record<RetryPolicy>({
  attempts: fc.integer({ min: 1, max: 8 }),
  delaySeconds: fc.integer({ min: 0, max: 600 }),
  backoff: fc.constantFrom('fixed', 'exponential'),
  maxDelaySeconds: fc.integer({ min: 0, max: 3600 }),
});
const outcome = fc.constantFrom('failed', 'timed_out', 'lost');

/** Plays outcomes one after another until no retry follows; returns how many attempts failed and how many were lost. */
function play(retry: RetryPolicy, outcomes: ('failed' | 'timed_out' | 'lost')[], lostBudget: number) {
  const counts = { failed: 0, lost: 0, delays: [] as number[], gaveUp: false };
  for (const each of outcomes) {
    if (each === 'lost') counts.lost++;
    else counts.failed++;
    const attemptNumber = counts.failed + counts.lost;
    const decision = decideAfterFailure({ outcome: each, attemptNumber, lostCount: counts.lost, retry, lostBudget, random: 0.5 });
    if (!decision.retry) return { ...counts, gaveUp: true };
    if (each !== 'lost') counts.delays.push(decision.delaySeconds);
  }
  return counts;
}

describe('retries', () => {
  it('stop after `attempts` failures or one more than the lost budget, whatever the order', () => {
    fc.assert(
      fc.property(
        policy,
        fc.array(outcome, { minLength: 20, maxLength: 30 }),
        fc.integer({ min: 0, max: 4 }),
        (retry, outcomes, budget) => {
          const { failed, lost, gaveUp } = play(retry, outcomes, budget);
          expect(gaveUp).toBe(true);
          expect(failed === retry.attempts || lost === budget + 1).toBe(true);
          expect(failed).toBeLessThanOrEqual(retry.attempts);
          expect(lost).toBeLessThanOrEqual(budget + 1);
        },
      ),
    );
  });

  it('wait never longer than the maximum, never less than before, and jitter by at most a tenth', () => {
    fc.assert(
      fc.property(policy, fc.double({ min: 0, max: 0.999, noNaN: true }), (retry, random) => {
        const { delays } = play({ ...retry, attempts: 8 }, Array(8).fill('failed'), 0);
        expect(Math.max(...delays)).toBeLessThanOrEqual(retry.maxDelaySeconds);
        expect([...delays].sort((a, b) => a - b)).toEqual(delays);
        const decision = decideAfterFailure({
          outcome: 'failed',
          attemptNumber: 1,
          lostCount: 0,
          retry: { ...retry, attempts: 2 },
          random,
        });
        if (!decision.retry) throw new Error('a second attempt was allowed');
        expect(decision.jittered).toBeGreaterThanOrEqual(decision.delaySeconds);
        expect(decision.jittered).toBeLessThanOrEqual(decision.delaySeconds * 1.1);
      }),
    );
  });

  it('double an exponential delay from the first retry on', () => {
    const retry: RetryPolicy = { attempts: 6, delaySeconds: 10, backoff: 'exponential', maxDelaySeconds: 60 };
    expect(play(retry, Array(6).fill('failed'), 3).delays).toEqual([10, 20, 40, 60, 60]);
  });

  it('try a lost attempt again at once, three times by default', () => {
    const retry: RetryPolicy = { attempts: 1, delaySeconds: 10, backoff: 'fixed', maxDelaySeconds: 60 };
    const lost = (lostCount: number) => decideAfterFailure({ outcome: 'lost', attemptNumber: lostCount, lostCount, retry, random: 0 });
    expect([1, 2, 3, 4].map((count) => lost(count).retry)).toEqual([true, true, true, false]);
    expect(lost(1)).toEqual({ retry: true, delaySeconds: 0, jittered: 0 });
  });
});
