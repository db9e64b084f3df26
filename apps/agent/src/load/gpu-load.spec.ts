import { describe, expect, it } from 'vitest';
import { GpuMeter, gpusOf } from './gpu-load.js';

const line = '37, 10240, 24576\n';
const told = { busyPercent: 37, memoryUsedMib: 10_240, memoryTotalMib: 24_576 };

describe('the load of GPUs', () => {
  it('is read from a line for each, and is not measured where one says no number', () => {
    expect(gpusOf(`${line}0, 3, 24576\n`)).toEqual([told, { busyPercent: 0, memoryUsedMib: 3, memoryTotalMib: 24_576 }]);
    expect([gpusOf('[N/A], 3, 24576\n'), gpusOf('')]).toEqual([null, null]);
  });

  it('is what was told last: no heartbeat waits for it, and it is asked for every ten seconds at most', async () => {
    let now = 0;
    let asked = 0;
    const meter = new GpuMeter(
      () => {
        asked += 1;
        return Promise.resolve(line);
      },
      () => now,
    );
    expect(meter.read()).toBeNull();
    await Promise.resolve().then(() => {});
    expect([meter.read(), asked]).toEqual([[told], 1]);
    now = 10_000;
    meter.read();
    expect(asked).toBe(2);
  });

  it('is not asked for again where there is no nvidia-smi', async () => {
    let [now, asked] = [0, 0];
    const meter = new GpuMeter(
      () => {
        asked += 1;
        return Promise.reject(Object.assign(new Error('spawn nvidia-smi'), { code: 'ENOENT' }));
      },
      () => now,
    );
    meter.read();
    await Promise.resolve().then(() => {});
    now = 60_000;
    expect([meter.read(), asked]).toEqual([null, 1]);
  });
});
