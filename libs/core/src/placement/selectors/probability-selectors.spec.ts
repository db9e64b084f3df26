import { describe, expect, it } from 'vitest';
import { aNode, aTurn, requestsAlike } from '../fixtures/turn.fixture.js';
import type { PlacementPolicy } from '../placement-policy.js';
import { placeTurn } from '../turn/place-turn.js';
import { chooseByWeight } from './weighted-choice.js';

const performances = [0.25, 1, 1, 2, 4.75];

function countPicks(policy: PlacementPolicy, strengths: readonly number[], picks: number, seed = 'frequencies'): number[] {
  const nodes = strengths.map((performance, index) => aNode(`n${index}`, { performance }));
  const { placements } = placeTurn(aTurn({ policy, nodes, seed, requests: requestsAlike(picks) }));
  const counts = strengths.map(() => 0);
  for (const { nodeId } of placements) counts[Number(nodeId.slice(1))] = (counts[Number(nodeId.slice(1))] ?? 0) + 1;
  return counts;
}

/** Upper 0.1 % point of the chi-square distribution (Wilson and Hilferty 1931). */
function chiSquareLimit(degrees: number): number {
  return degrees * (1 - 2 / (9 * degrees) + 3.0902 * Math.sqrt(2 / (9 * degrees))) ** 3;
}

function expectFrequencies(counts: readonly number[], probabilities: readonly number[]) {
  const picks = counts.reduce((sum, count) => sum + count, 0);
  let chiSquare = 0;
  for (const [index, probability] of probabilities.entries()) {
    const expected = picks * probability;
    if (probability === 0) expect(counts[index]).toBe(0);
    else chiSquare += ((counts[index] as number) - expected) ** 2 / expected;
  }
  expect(chiSquare).toBeLessThan(chiSquareLimit(probabilities.filter((probability) => probability > 0).length - 1));
}

function powerShares(strengths: readonly number[], k: number): number[] {
  const powers = strengths.map((x) => (x === 0 ? 0 : x ** k));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

describe('resource-pick-kx', () => {
  it.each([0, 0.5, 1, 2, 3])('picks nodes as often as x^k says for k = %d', (k) => {
    expectFrequencies(countPicks({ selector: 'resource-pick-kx', k }, performances, 8000), powerShares(performances, k));
  });

  it('takes k as 1 when the policy names none', () => {
    expectFrequencies(countPicks({ selector: 'resource-pick-kx' }, performances, 8000), powerShares(performances, 1));
  });

  it.each(['infinity' as const, 10_000])('picks only the strongest for k = %s', (k) => {
    expect(countPicks({ selector: 'resource-pick-kx', k }, performances, 200)).toEqual([0, 0, 0, 0, 200]);
  });

  it('shares the choice among the equally strong for k = infinity', () => {
    expectFrequencies(countPicks({ selector: 'resource-pick-kx', k: 'infinity' }, [3, 1, 3, 3], 3000), [1 / 3, 0, 1 / 3, 1 / 3]);
  });

  it('reports the probability of every candidate', () => {
    const nodes = [aNode('a', { performance: 1 }), aNode('b', { performance: 3 })];
    const turn = aTurn({ policy: { selector: 'resource-pick-kx', k: 1 }, nodes, requests: requestsAlike(1) });
    const scores = placeTurn(turn).placements[0]?.decision.scores;
    expect(scores).toEqual([
      { nodeId: 'b', nodeName: 'node-b', performance: 3, weight: 1, probability: 0.75 },
      { nodeId: 'a', nodeName: 'node-a', performance: 1, weight: 1 / 3, probability: 0.25 },
    ]);
  });
});

describe('random', () => {
  it('picks every node of performance above 0 alike', () => {
    expectFrequencies(countPicks({ selector: 'random' }, [0, ...performances], 6000), [0, 0.2, 0.2, 0.2, 0.2, 0.2]);
  });
});

describe('chooseByWeight', () => {
  const drawing = (value: number) => ({ next: () => value });

  it('never draws a weight of 0, at neither end of the scale', () => {
    expect(chooseByWeight([0, 1, 0], drawing(0))?.index).toBe(1);
    expect(chooseByWeight([0, 1, 0], drawing(1 - 2 ** -53))?.index).toBe(1);
    expect(chooseByWeight([0.1, 0.2, 0.3, 0], drawing(1 - 2 ** -53))?.index).toBe(2);
  });

  it('draws nothing when all weights are 0', () => {
    expect(chooseByWeight([0, 0], drawing(0.5))).toBeNull();
  });
});
