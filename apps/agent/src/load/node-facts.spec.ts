import { describe, expect, it } from 'vitest';
import { millisOfQuota } from './cgroup-limits.js';
import { capacityOf, type MachineInputs } from './node-facts.js';

const MIB = 1024 * 1024;
const machine: MachineInputs = {
  cores: 8,
  cpuQuotaMillis: null,
  totalMemoryBytes: 16_000 * MIB,
  memoryLimitBytes: null,
  diskFreeMib: 900.7,
  gpuCount: 2,
};

describe('capacity of a node', () => {
  it('is the machine where no cgroup says less', () => {
    expect(capacityOf(machine)).toEqual({ cpuMillis: 8000, memoryMib: 16_000, diskMib: 900, gpuCount: 2 });
    expect(capacityOf({ ...machine, cpuQuotaMillis: 20_000, memoryLimitBytes: 2 ** 63 })).toMatchObject({
      cpuMillis: 8000,
      memoryMib: 16_000,
    });
  });

  it('is the cgroup where that is less, and never under a quarter of a core', () => {
    expect(capacityOf({ ...machine, cpuQuotaMillis: 1500, memoryLimitBytes: 512 * MIB })).toMatchObject({
      cpuMillis: 1500,
      memoryMib: 512,
    });
    expect(capacityOf({ ...machine, cpuQuotaMillis: 100 })).toMatchObject({ cpuMillis: 250 });
  });

  it('reads quotas of v1 and v2, and their ways to say "none"', () => {
    expect(millisOfQuota('25000', '100000')).toBe(250);
    expect([millisOfQuota('-1', '100000'), millisOfQuota('max', '100000'), millisOfQuota(null, null)]).toEqual([null, null, null]);
  });
});
