import { describe, expect, it } from 'vitest';
import { distributionOf, verdictOf } from './share-verdict.js';

/** `count` decisions in each of which the node had the chance `p`. */
const counted = (count: number, p: number, placed: number) => ({
  compared: count,
  placed,
  expected: count * p,
  variance: count * p * (1 - p),
  unmodelled: 0,
});

describe('the verdict on placed against expected', () => {
  it('says nothing of few placements, nor of few elsewhere', () => {
    expect(verdictOf(counted(8, 0.5, 8))).toBe('too-few');
    expect(verdictOf(counted(100, 0.98, 90))).toBe('too-few');
  });

  it('takes what chance does to three standard deviations, and no more', () => {
    expect(verdictOf(counted(400, 0.25, 125))).toBe('as-expected'); // 100 ± 3 · 8.66
    expect(verdictOf(counted(400, 0.25, 126))).toBe('differs');
    expect(verdictOf(counted(400, 0.25, 74))).toBe('differs');
  });

  it('takes no difference where every decision was certain', () => {
    expect(verdictOf(counted(3, 1, 3))).toBe('as-expected');
    expect(verdictOf(counted(3, 1, 2))).toBe('differs');
  });

  it('says nothing of a selector that follows no probability', () => {
    expect(verdictOf({ ...counted(400, 0.25, 400), unmodelled: 1 })).toBe('unmodelled');
  });
});

describe('the distribution', () => {
  const row = { ...counted(400, 0.25, 100), node: 'a', performance: 1, allPlaced: 120 };

  it('keeps all other nodes apart, and says since when it counts once it leaves something out', () => {
    const shares = {
      decisions: 400,
      unmodelled: 0,
      oldestAt: new Date(0),
      rows: [
        { ...row, nodeId: 'a' },
        { ...row, nodeId: null, node: null },
      ],
    };
    expect(distributionOf(shares, 1000)).toMatchObject({
      nodes: [{ nodeId: 'a', allPlaced: 120, placed: 100 }],
      others: { placed: 100 },
      since: null,
    });
    expect(distributionOf(shares, 400).since).toBe('1970-01-01T00:00:00.000Z');
  });
});
