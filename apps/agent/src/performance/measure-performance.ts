import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MeasuredPerformance } from '@medley/contracts';

/** Rounds of the kernel per second that count as 1.0: one undisturbed core of a 2023 cloud server. Changing it changes every stored value. */
export const REFERENCE_ROUNDS_PER_SECOND = 200_000_000;

const SLICES = 3;
/** Two periods of the kernel's cpu quota (100 ms): a window of whole periods holds the same share of run time wherever it begins. */
const SLICE_MS = 200;
const MEMORY_MS = 100;
const DISK_MS = 200;
const MIB = 1024 * 1024;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Cores relative to the reference, measured in worker threads: one alone, then as many as there are cores, summed. About 1.5 s in all. */
export async function measurePerformance(directory: string): Promise<MeasuredPerformance> {
  const workers = await Promise.all(Array.from({ length: availableParallelism() }, startWorker));
  try {
    const single = await measureSlices(workers.slice(0, 1));
    const all = await measureSlices(workers);
    return {
      singleCore: round(single / REFERENCE_ROUNDS_PER_SECOND, 1000),
      allCores: round(all / REFERENCE_ROUNDS_PER_SECOND, 1000),
      memoryMibPerSecond: round(await measureMemory(), 1),
      diskMibPerSecond: round(await measureDisk(directory), 1),
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function round(value: number, per: number): number {
  return Math.round(value * per) / per;
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('./spin-worker.js', import.meta.url), { workerData: { sliceMs: SLICE_MS } });
  await once(worker, 'message');
  return worker;
}

/** Median over the slices of the summed rate of all workers. */
async function measureSlices(workers: readonly Worker[]): Promise<number> {
  const rates: number[] = [];
  for (let slice = 0; slice < SLICES; slice += 1) {
    const answers = await Promise.all(
      workers.map(async (worker) => {
        worker.postMessage('go');
        const [answer] = (await once(worker, 'message')) as [{ roundsPerSecond: number }];
        return answer.roundsPerSecond;
      }),
    );
    rates.push(answers.reduce((sum, rate) => sum + rate, 0));
  }
  return median(rates);
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
