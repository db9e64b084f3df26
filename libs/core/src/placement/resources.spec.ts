import { describe, expect, it } from 'vitest';
import { someResources } from './fixtures/turn.fixture.js';
import { resourcesText } from './resource-text.js';
import { dominantShare, firstShortage, resourcesFit, subtractResources } from './resources.js';

describe('resources', () => {
  const node = someResources({ cpuMillis: 4000, memoryMib: 8192 });

  it('fit up to the last unit and not one beyond', () => {
    expect(resourcesFit(someResources({ cpuMillis: 4000, memoryMib: 8192 }), node)).toBe(true);
    expect(resourcesFit(someResources({ cpuMillis: 4001 }), node)).toBe(false);
    expect(firstShortage(someResources({ memoryMib: 8193, gpuCount: 1 }), node)).toBe('memoryMib');
  });

  it('let a request pass that asks for nothing of an over-committed resource', () => {
    expect(resourcesFit(someResources({ memoryMib: 1 }), someResources({ cpuMillis: -500, memoryMib: 1 }))).toBe(true);
    expect(resourcesFit(someResources({ cpuMillis: 1 }), someResources({ cpuMillis: -500 }))).toBe(false);
  });

  it('refuse a request that is not a number', () => {
    expect(resourcesFit(someResources({ cpuMillis: Number.NaN }), node)).toBe(false);
  });

  it('leave a rest of each, below zero where more is held than there is', () => {
    const rest = subtractResources(node, someResources({ cpuMillis: 250, gpuCount: 1 }));
    expect(rest).toEqual(someResources({ cpuMillis: 3750, memoryMib: 8192, gpuCount: -1 }));
  });

  it('have the share of the fullest resource as their dominant share', () => {
    expect(dominantShare(someResources({ cpuMillis: 1000, memoryMib: 6144 }), node)).toBe(0.75);
    expect(dominantShare(someResources({ gpuCount: 0 }), node)).toBe(0);
  });

  it('read in cores, GiB and GPUs', () => {
    expect(resourcesText(someResources({ cpuMillis: 1500, memoryMib: 512, gpuCount: 2 }))).toBe('1.5 cores, 0.5 GiB memory, 2 GPUs');
    expect(resourcesText(someResources())).toBe('nothing');
  });
});
