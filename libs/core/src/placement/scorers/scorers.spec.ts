import { describe, expect, it } from 'vitest';
import { aNode, someResources } from '../fixtures/turn.fixture.js';
import { toWorkingNode } from '../turn/working-node.js';
import { expectedFinishSeconds } from './expected-finish.scorer.js';
import { performanceWeights } from './performance-weight.scorer.js';

describe('performanceWeights', () => {
  it('are x^k relative to the largest', () => {
    expect(performanceWeights([1, 2, 4], 1)).toEqual([0.25, 0.5, 1]);
    expect(performanceWeights([1, 2, 4], 2)[1]).toBeCloseTo(0.25, 12);
    expect(performanceWeights([1, 4], 0.5)[0]).toBeCloseTo(0.5, 12);
  });

  it('are uniform for k = 0 and greedy for infinity, with 0 for x = 0 in both', () => {
    expect(performanceWeights([0, 1, 5], 0)).toEqual([0, 1, 1]);
    expect(performanceWeights([0, 5, 1, 5], Number.POSITIVE_INFINITY)).toEqual([0, 1, 0, 1]);
  });

  it('stay finite for exponents and performances whose powers are not', () => {
    const weights = performanceWeights([1e6, 999_999, 1e-6, 0], 1e4);
    expect(weights[0]).toBe(1);
    expect(weights[1]).toBeCloseTo(Math.exp(-0.01), 4);
    expect(weights.slice(2)).toEqual([0, 0]);
    expect(performanceWeights([1e-300, 2e-300], 50)[0]).toBeCloseTo(2 ** -50, 20);
  });

  it('are all 0 when every x is 0', () => {
    expect(performanceWeights([0, 0], 0)).toEqual([0, 0]);
  });
});

describe('expectedFinishSeconds', () => {
  const request = { resources: someResources({ cpuMillis: 1000 }), expectedSeconds: 60 };
  const finish = (node: Parameters<typeof aNode>[1], expectedSeconds: number | null = 60) =>
    expectedFinishSeconds(toWorkingNode(aNode('a', node)), { ...request, expectedSeconds });

  it('is the learned runtime divided by speed when the node has room', () => {
    expect(finish({ performance: 4, busyUntilSeconds: [100] })).toBe(15);
  });

  it('takes 10 s for a runtime nothing is known of', () => {
    expect(finish({ performance: 2 }, null)).toBe(5);
  });

  it('adds the time until the first attempt ends when the node is full', () => {
    expect(finish({ reserved: someResources({ cpuMillis: 4000 }), busyUntilSeconds: [30, 7, 90] })).toBe(67);
    expect(finish({ heldAttempts: 2, maxAttempts: 2, busyUntilSeconds: [-3, 5] })).toBe(60);
  });

  it('is infinite on a node of speed 0', () => {
    expect(finish({ performance: 0 })).toBe(Number.POSITIVE_INFINITY);
  });
});
