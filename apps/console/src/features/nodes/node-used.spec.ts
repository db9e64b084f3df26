import type { NodeListItem } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { usedOf } from './node-used.js';

type Node = Pick<NodeListItem, 'state' | 'load' | 'capacity'>;
const load = { cpuPercent: 50, memoryUsedMib: 1024, memoryTotalMib: 4096, diskFreeMib: 6144, loadAverage: 1 };
const node = (changes: Partial<Node> = {}): Node => ({
  state: 'online',
  capacity: { cpuMillis: 4000, memoryMib: 4096, diskMib: 8192, gpuCount: 2 },
  load,
  ...changes,
});
const t = (key: string, values: Record<string, unknown> = {}) => [key, ...Object.values(values)].join(' ');
const gpu = { busyPercent: 50, memoryUsedMib: 1024, memoryTotalMib: 2048 };

describe('what a machine uses', () => {
  it('is told in the unit of its capacity, of the disk as what is gone of the offer', () => {
    const { cpu, memory, disk } = usedOf(node({ load: { ...load, diskTotalMib: 20_480 } }), t);
    expect([cpu.mark, memory.mark, disk.mark]).toEqual([2000, 1024, 2048]);
    expect(disk.used).toBe('nodes.usedNow 14 GiB / 20 GiB');
    expect(usedOf(node(), t).disk.used).toBe('nodes.freeNow 6 GiB');
  });

  it('is of GPUs what nvidia-smi said, and "not measured" where nobody could ask', () => {
    expect(usedOf(node({ load: { ...load, gpus: [gpu, { ...gpu, busyPercent: 100 }] } }), t).gpu).toEqual({
      mark: 1.5,
      used: 'nodes.gpuNow 75 2 GiB / 4 GiB',
    });
    for (const gpus of [null, undefined])
      expect(usedOf(node({ load: { ...load, gpus } }), t).gpu).toEqual({ mark: null, used: 'nodes.useNotMeasured' });
  });

  it('is not told of a node that does not answer', () => {
    expect(usedOf(node({ state: 'offline' }), t).cpu).toEqual({ mark: null, used: undefined });
  });
});
