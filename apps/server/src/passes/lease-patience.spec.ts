import { describe, expect, it } from 'vitest';
import { LeasePatience } from './lease-patience.js';

const LEASE = 60;
const OUTAGE = 15;

/** Lets passes succeed once a second and returns the first second at which one trusts what it sees, if any does. */
function succeed(patience: LeasePatience, fromSeconds: number, toSeconds: number): number | undefined {
  let trusted: number | undefined;
  for (let second = fromSeconds; second <= toSeconds; second++) {
    patience.passBegins(second);
    if (patience.trusts(second)) trusted ??= second;
    patience.passEnds(second);
  }
  return trusted;
}

function observed(untilSeconds: number): LeasePatience {
  const patience = new LeasePatience(LEASE, OUTAGE);
  succeed(patience, 0, untilSeconds);
  return patience;
}

describe('LeasePatience', () => {
  it('grants a full lease after the start', () => {
    const patience = new LeasePatience(LEASE, OUTAGE);
    expect(patience.passBegins(5)).toBe(true);
    expect(patience.trusts(5)).toBe(false);
    patience.passEnds(5);
    expect(patience.passBegins(6)).toBe(false);
    patience.passEnds(6);
    expect(succeed(patience, 7, 100)).toBe(65);
  });

  it('grants a full lease after a pause of its own, counted from the end of the pause', () => {
    const patience = observed(100);
    expect(succeed(patience, 101, 101)).toBe(101);
    expect(succeed(patience, 300, 400)).toBe(360);
  });

  it('notices an outage once and grants a full lease from the first pass that succeeds after it', () => {
    const patience = observed(100);
    const noticed: number[] = [];
    for (let second = 101; second < 229; second++) if (patience.passBegins(second)) noticed.push(second); // each of them fails
    expect(noticed).toEqual([116]);
    expect(succeed(patience, 229, 300)).toBe(289);
  });

  it('does not trust a pass that was frozen in its middle, nor what follows within a lease', () => {
    const patience = observed(100);
    patience.passBegins(101);
    expect(patience.trusts(101.1)).toBe(true);
    expect(patience.trusts(240)).toBe(false);
    patience.passEnds(240);
    expect(succeed(patience, 241, 400)).toBe(301);
  });

  describe('when nodes fall silent together', () => {
    it('gives up few at once', () => {
      const patience = observed(100);
      expect(patience.judgeMassLoss(2, 2, 100)).toBe('proceed');
      expect(patience.judgeMassLoss(3, 10, 100)).toBe('proceed');
      expect(patience.judgeMassLoss(300, 1000, 100)).toBe('proceed');
    });

    it('holds a mass of them for one lease and then gives up', () => {
      const patience = observed(100);
      expect(patience.judgeMassLoss(4, 10, 100)).toBe('hold-begins');
      expect(patience.judgeMassLoss(5, 10, 130)).toBe('hold');
      expect(patience.judgeMassLoss(5, 10, 159.9)).toBe('hold');
      expect(patience.judgeMassLoss(5, 10, 160)).toBe('proceed');
    });

    it('holds again when they had come back in between, also when all of them had', () => {
      const patience = observed(100);
      expect(patience.judgeMassLoss(4, 10, 100)).toBe('hold-begins');
      expect(patience.judgeMassLoss(0, 10, 110)).toBe('proceed');
      expect(patience.judgeMassLoss(4, 10, 1000)).toBe('hold-begins');
    });
  });
});
