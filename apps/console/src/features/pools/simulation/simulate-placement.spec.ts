import type { NodeSnapshot } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { type SimulationInput, simulatePlacement } from './simulate-placement.js';

const capacity = { cpuMillis: 4000, memoryMib: 4096, diskMib: 0, gpuCount: 0 };
const node = (id: string, performance: number, changes: Partial<NodeSnapshot> = {}): NodeSnapshot => ({
  ...{ id, name: id, labels: {}, platform: 'linux', runtimes: [], capacity, reserved: { ...capacity, cpuMillis: 0, memoryMib: 0 } },
  ...{
    cordoned: false,
    draining: false,
    reachable: true,
    offline: false,
    heldAttempts: 0,
    maxAttempts: 100,
    performance,
    busyUntilSeconds: [],
  },
  ...changes,
});
const input = (changes: Partial<SimulationInput>): SimulationInput => ({
  policy: { selector: 'resource-pick-kx', k: 1 },
  nodes: [node('slow', 1), node('fast', 3)],
  picks: 400,
  task: { cpuMillis: 1000, memoryMib: 0 },
  mode: 'one-by-one',
  seed: 's',
  ...changes,
});

describe('a simulated placement', () => {
  it('follows the weights of the policy, and is the same again for the same seed', () => {
    const { placed, waiting, wait } = simulatePlacement(input({}));
    expect(waiting).toBe(0);
    expect(Math.abs(placed.fast! - 300)).toBeLessThan(3 * Math.sqrt(400 * 0.25 * 0.75));
    expect(simulatePlacement(input({}))).toEqual({ placed, waiting, wait: null });
    expect(wait).toBeNull();
    const bySeed = ['a', 'b', 'c', 'd'].map((seed) => simulatePlacement(input({ seed })).placed.fast);
    expect(new Set(bySeed).size).toBeGreaterThan(1);
  });

  it('takes turns exactly where the selector remembers', () => {
    expect(simulatePlacement(input({ policy: { selector: 'smooth-weighted-round-robin' } })).placed).toEqual({ slow: 100, fast: 300 });
  });

  it('fills the nodes in a burst and counts what has to wait', () => {
    expect(simulatePlacement(input({ mode: 'burst' }))).toMatchObject({
      placed: { slow: 4, fast: 4 },
      waiting: 392,
      wait: { code: 'no-capacity' },
    });
  });

  it('tells what tasks wait for where all nodes are full', () => {
    const full = { reserved: capacity };
    const { placed, waiting, wait } = simulatePlacement(input({ nodes: [node('slow', 1, full), node('fast', 3, full)] }));
    expect({ placed, waiting }).toEqual({ placed: {}, waiting: 400 });
    expect(wait).toMatchObject({ code: 'no-capacity', values: { nodes: [{ node: 'fast' }, { node: 'slow' }] } });
  });

  it('leaves out nodes that take no work', () => {
    expect(simulatePlacement(input({ nodes: [node('slow', 1), node('fast', 3, { cordoned: true })] })).placed).toEqual({ slow: 400 });
  });
});
