import { describe, expect, it } from 'vitest';
import { decideOverlap, jitterMs } from './index.js';

const idle = { runIds: [], waitingRunId: null };
const busy = { runIds: ['b', 'a'], waitingRunId: null };
const waiting = { runIds: ['b', 'a'], waitingRunId: 'b' };
const nothing = { startMs: [], heldFromMs: null, heldByRunId: null, cancelRunIds: [], passedOverMs: null };
const decide = (
  policy: Parameters<typeof decideOverlap>[0]['policy'],
  active: typeof busy | typeof waiting | typeof idle,
  wereHeld = false,
) => decideOverlap({ policy, fireAtMs: [1, 2, 3], active, wereHeld });

describe('fires while a run of the same schedule is active', () => {
  it.each([
    ['allow', idle, { startMs: [1, 2, 3] }],
    ['allow', busy, { startMs: [1, 2, 3] }],
    ['allow', waiting, { heldFromMs: 1, heldByRunId: 'b' }],
    ['skip', idle, { startMs: [3] }],
    ['skip', busy, { passedOverMs: 3 }],
    ['queue', idle, { startMs: [1], heldFromMs: 2 }],
    ['queue', busy, { heldFromMs: 1, heldByRunId: 'b' }],
    ['cancel-running', idle, { startMs: [3] }],
    ['cancel-running', busy, { heldFromMs: 3, heldByRunId: 'b', cancelRunIds: ['b', 'a'] }],
  ] as const)('%s, case %#', (policy, active, expected) => {
    expect(decide(policy, active as typeof busy)).toEqual({ ...nothing, ...expected });
  });

  it('follow one by one once they have waited', () => {
    expect(decide('allow', busy, true)).toEqual({ ...nothing, startMs: [1], heldFromMs: 2 });
  });

  it('change nothing when there are none', () => {
    expect(decideOverlap({ policy: 'queue', fireAtMs: [], active: waiting, wereHeld: true })).toEqual(nothing);
  });
});

describe('jitter', () => {
  it('is the same for the same fire, differs between fires and schedules, and is spread over all of its length', () => {
    const delays = Array.from({ length: 2000 }, (_, index) => jitterMs('a', 60_000 * index, 60));
    expect(jitterMs('a', 60_000, 60)).toBe(delays[1]);
    expect(jitterMs('b', 60_000, 60)).not.toBe(delays[1]);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(60_000);
    for (let tenth = 0; tenth < 10; tenth++) {
      const count = delays.filter((ms) => Math.floor(ms / 6000) === tenth).length;
      expect(count).toBeGreaterThan(130);
      expect(count).toBeLessThan(270);
    }
    expect(jitterMs('a', 60_000, 0)).toBe(0);
  });
});
