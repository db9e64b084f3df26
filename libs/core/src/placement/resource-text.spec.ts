import { describe, expect, it } from 'vitest';
import { resourcesText } from './resource-text.js';

describe('resources in words', () => {
  it.each([
    [{ cpuMillis: 1000, memoryMib: 1024, diskMib: 0, gpuCount: 1 }, '1 core, 1 GiB memory, 1 GPU'],
    [{ cpuMillis: 500, memoryMib: 0, diskMib: 2048, gpuCount: 4 }, '0.5 cores, 2 GiB disk, 4 GPUs'],
    [{ cpuMillis: 0, memoryMib: 0, diskMib: 0, gpuCount: 0 }, 'nothing'],
  ])('agree with their number: %o', (resources, text) => {
    expect(resourcesText(resources)).toBe(text);
  });
});
