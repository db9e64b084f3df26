import { cpus, freemem, loadavg, totalmem } from 'node:os';
import type { NodeLoad } from '@medley/contracts';
import { readDisk } from '../spool/disk-watch.js';
import { GpuMeter } from './gpu-load.js';

const MIB = 1024 * 1024;

interface CpuTimes {
  idle: number;
  total: number;
}

function readCpuTimes(): CpuTimes {
  const sum = { idle: 0, total: 0 };
  for (const { times } of cpus()) {
    sum.idle += times.idle;
    sum.total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return sum;
}

/** Busy share between two readings, 0–100. */
export function busyPercent(before: CpuTimes, after: CpuTimes): number {
  const total = after.total - before.total;
  return total <= 0 ? 0 : Math.min(100, Math.max(0, 100 * (1 - (after.idle - before.idle) / total)));
}

/** Load of the machine; cpu is the average since the last reading. */
export class LoadMeter {
  private last = readCpuTimes();
  private readonly gpus = new GpuMeter();

  constructor(private readonly home: string) {}

  async read(): Promise<NodeLoad> {
    const now = readCpuTimes();
    const cpuPercent = busyPercent(this.last, now);
    this.last = now;
    const disk = await readDisk(this.home);
    return {
      cpuPercent,
      memoryUsedMib: Math.round((totalmem() - freemem()) / MIB),
      memoryTotalMib: Math.round(totalmem() / MIB),
      diskFreeMib: Math.round(disk.freeMib),
      diskTotalMib: Math.round(disk.totalMib),
      gpus: this.gpus.read(),
      loadAverage: loadavg()[0] ?? 0,
    };
  }
}
