import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MeasuredPerformance } from '@medley/contracts';
import { readCpuQuotaMillis } from '../load/cgroup-limits.js';
import { type Slice, type SpinSample, undisturbedRate, upperQuartile } from './slice-rate.js';
import type { SpinOrder } from './spin-worker.js';

/** Rounds of the kernel per second that count as 1.0: one undisturbed core of a 2023 cloud server. Changing it changes every stored value. */
export const REFERENCE_ROUNDS_PER_SECOND = 200_000_000;

/**
 * Whole periods of the kernel's cpu quota (100 ms). In a steady spin the same share of each period is run, so a window of whole periods holds
 * the quota's share wherever it begins; the first slice is thrown away, because a group that idled has the period's quota still to spend.
 */
const SLICE_MS = 400;
/** The slices are spread over a few seconds: passing load disturbs some of them only. */
const SINGLE_CORE_SLICES = 2;
const ALL_CORES_SLICES = 5;
const MEMORY_MS = 100;
const DISK_MS = 200;
const MIB = 1024 * 1024;

/** Cores relative to the reference, measured in worker threads: one alone, then as many as there are cores, summed. About 4 s in all. */
export async function measurePerformance(directory: string): Promise<MeasuredPerformance> {
  const single = await measureSlices(1, SINGLE_CORE_SLICES);
  const all = await measureSlices(availableParallelism(), ALL_CORES_SLICES);
  return {
    singleCore: round(single / REFERENCE_ROUNDS_PER_SECOND, 1000),
    allCores: round(all / REFERENCE_ROUNDS_PER_SECOND, 1000),
    memoryMibPerSecond: round(await measureMemory(), 1),
    diskMibPerSecond: round(await measureDisk(directory), 1),
  };
}

function round(value: number, per: number): number {
  return Math.round(value * per) / per;
}

async function startWorker(order: SpinOrder): Promise<Worker> {
  const worker = new Worker(new URL('./spin-worker.js', import.meta.url), { workerData: order });
  await once(worker, 'message');
  return worker;
}

/** Upper quartile over the slices of the rate that so many threads have together, in rounds per second. */
async function measureSlices(threads: number, slices: number): Promise<number> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const workers = await Promise.all(Array.from({ length: threads }, () => startWorker({ sliceMs: SLICE_MS, stop })));
  try {
    const startAtNs = process.hrtime.bigint();
    // One sample at the start, one after the slice that does not count, then one after each slice.
    const samples = await Promise.all(workers.map((worker) => takeSamples(worker, startAtNs, slices + 2)));
    const limitCores = (readCpuQuotaMillis() ?? Number.POSITIVE_INFINITY) / 1000;
    const sliceAt = (index: number): Slice[] => samples.map((own) => ({ from: own[index]!, to: own[index + 1]! }));
    return upperQuartile(Array.from({ length: slices }, (_, index) => undisturbedRate(sliceAt(index + 1), limitCores)));
  } finally {
    Atomics.store(stop, 0, 1);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function takeSamples(worker: Worker, startAtNs: bigint, count: number): Promise<SpinSample[]> {
  return new Promise((resolve, reject) => {
    const samples: SpinSample[] = [];
    worker.once('error', reject);
    worker.on('message', (sample: SpinSample) => {
      samples.push(sample);
      if (samples.length === count) resolve(samples);
    });
    worker.postMessage(startAtNs);
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
