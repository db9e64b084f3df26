import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MeasuredPerformance } from '@medley/contracts';
import { readCpuQuotaMillis } from '../load/cgroup-limits.js';
import { bestAgree, type Slice, type SpinSample, undisturbedRate, upperQuartile } from './slice-rate.js';
import type { SpinOrder } from './spin-worker.js';

/** Rounds of the kernel per second that count as 1.0: one undisturbed core of a 2023 cloud server. Changing it changes every stored value. */
export const REFERENCE_ROUNDS_PER_SECOND = 200_000_000;

/**
 * Whole periods of the kernel's cpu quota (100 ms). In a steady spin the same share of each period is run, so a window of whole periods holds
 * the quota's share wherever it begins. The first periods do not count: a group that idled has its quota
 * still to spend, and an agent that has just started spends some of it.
 */
const SLICE_MS = 300;
const LEAD_MS = 200;
/** Under a duty cycle, whose turns are not as even as the kernel's, a slice is long enough for this much CPU time, up to a limit. */
const THROTTLED_SLICE_CPU_MS = 200;
const LONGEST_SLICE_MS = 3000;
/** Of three or more slices the best two have to agree; where passing load disturbs them there are more, spread over a second or two. */
const LEAST_SLICES = 3;
const MOST_SLICES = 6;
const AGREEMENT = 0.03;
const MEMORY_MS = 100;
const DISK_MS = 200;
const MIB = 1024 * 1024;

/**
 * Cores relative to the reference, measured in worker threads: one alone, then as many as there are cores, summed. About 2 s in all, more under
 * a throttle. `sharePercent` of one core is what a throttle from outside leaves this process; null without one.
 */
export async function measurePerformance(directory: string, sharePercent: number | null = null): Promise<MeasuredPerformance> {
  const sliceMs = sliceMsUnder(sharePercent);
  const limitCores = Math.min(readCpuQuotaMillis() ?? Number.POSITIVE_INFINITY, 10 * (sharePercent ?? Number.POSITIVE_INFINITY)) / 1000;
  const single = await measureThreads(1, sliceMs, limitCores);
  // All cores do at least what one does: several threads under a quota of one core only disturb each other more, and lose more to other programs.
  const all = Math.max(single, await measureThreads(availableParallelism(), sliceMs, limitCores));
  return {
    singleCore: round(single / REFERENCE_ROUNDS_PER_SECOND, 1000),
    allCores: round(all / REFERENCE_ROUNDS_PER_SECOND, 1000),
    memoryMibPerSecond: round(await measureMemory(), 1),
    diskMibPerSecond: round(await measureDisk(directory), 1),
  };
}

function sliceMsUnder(sharePercent: number | null): number {
  return sharePercent === null ? SLICE_MS : Math.min(LONGEST_SLICE_MS, Math.max(SLICE_MS, (100 * THROTTLED_SLICE_CPU_MS) / sharePercent));
}

function round(value: number, per: number): number {
  return Math.round(value * per) / per;
}

async function startWorker(order: SpinOrder): Promise<Worker> {
  const worker = new Worker(new URL('./spin-worker.js', import.meta.url), { workerData: order });
  await once(worker, 'message');
  return worker;
}

/** The rate that so many threads have together, in rounds per second. */
async function measureThreads(threads: number, sliceMs: number, limitCores: number): Promise<number> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const workers = await Promise.all(Array.from({ length: threads }, () => startWorker({ sliceMs, stop })));
  try {
    const startAtNs = process.hrtime.bigint() + BigInt(LEAD_MS * 1e6);
    return upperQuartile(await takeSlices(workers, startAtNs, limitCores));
  } finally {
    Atomics.store(stop, 0, 1);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Rates of slices, in which all workers spin, until two of them agree or there are enough. */
function takeSlices(workers: readonly Worker[], startAtNs: bigint, limitCores: number): Promise<number[]> {
  const samples: SpinSample[][] = workers.map(() => []);
  const rates: number[] = [];
  return new Promise((resolve, reject) => {
    const look = () => {
      const next = rates.length + 1;
      if (samples.some((own) => own.length <= next)) return;
      const slices: Slice[] = samples.map((own) => ({ from: own[next - 1]!, to: own[next]! }));
      rates.push(undisturbedRate(slices, limitCores));
      if (rates.length >= MOST_SLICES || (rates.length >= LEAST_SLICES && bestAgree(rates, AGREEMENT))) resolve(rates);
    };
    for (const [index, worker] of workers.entries()) {
      worker.once('error', reject);
      worker.on('message', (sample: SpinSample) => {
        samples[index]!.push(sample);
        look();
      });
      worker.postMessage(startAtNs);
    }
  });
}

/** Copies blocks larger than any cache, a block per turn of the event loop, so that the heartbeat is not held up. */
async function measureMemory(): Promise<number> {
  const from = Buffer.alloc(32 * MIB, 1);
  const to = Buffer.alloc(32 * MIB);
  const startedAt = performance.now();
  let copied = 0;
  while (performance.now() - startedAt < MEMORY_MS) {
    from.copy(to);
    copied += from.length / MIB;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return copied / ((performance.now() - startedAt) / 1000);
}

/** Sequential writes that have reached the disk (fdatasync), in the directory the attempts will write to. */
async function measureDisk(directory: string): Promise<number> {
  const path = join(directory, `benchmark-${randomUUID()}`);
  const block = Buffer.alloc(4 * MIB, 0x5a);
  const file = await open(path, 'wx', 0o600);
  try {
    const startedAt = performance.now();
    let written = 0;
    while (performance.now() - startedAt < DISK_MS) {
      await file.write(block);
      await file.datasync();
      written += block.length / MIB;
    }
    return written / ((performance.now() - startedAt) / 1000);
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
