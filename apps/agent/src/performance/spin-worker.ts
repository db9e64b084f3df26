import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createCpuKernel } from './cpu-kernel.js';
import type { SpinSample } from './slice-rate.js';

const ROUNDS_PER_LOOK = 20_000;
const WARM_UP_ROUNDS = 2_000_000;

/** `stop` is a shared flag: a worker that spins reads no messages. */
export interface SpinOrder {
  sliceMs: number;
  stop: Int32Array;
}

/** CPU and waiting time of this thread, in ns; null where the system does not tell. */
function readSchedule(): Pick<SpinSample, 'cpuNs' | 'waitNs'> {
  try {
    const [cpuNs, waitNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ').map(Number);
    return { cpuNs: cpuNs!, waitNs: waitNs! };
  } catch {
    return { cpuNs: null, waitNs: null };
  }
}

/** CPU time of the whole machine, other programs included, in ticks of 10 ms; null where the system does not tell. */
function readBusyTicks(): number | null {
  try {
    const [user, nice, system, , , irq, softIrq] = readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]!
      .trim()
      .split(/\s+/)
      .slice(1)
      .map(Number);
    return user! + nice! + system! + irq! + softIrq!;
  } catch {
    return null;
  }
}

const { sliceMs, stop } = workerData as SpinOrder;
const kernel = createCpuKernel();
kernel(WARM_UP_ROUNDS);
parentPort!.postMessage('ready');

/** Spins without a pause and posts a sample at the given instant and whenever another slice has passed. */
parentPort!.on('message', (startAtNs: bigint) => {
  const sliceNs = BigInt(Math.round(sliceMs * 1e6));
  let rounds = 0;
  let checksum = 0;
  for (let boundary = startAtNs; Atomics.load(stop, 0) === 0; ) {
    checksum += kernel(ROUNDS_PER_LOOK);
    rounds += ROUNDS_PER_LOOK;
    const now = process.hrtime.bigint();
    if (now < boundary) continue;
    const sample: SpinSample = { atNs: Number(now - startAtNs), rounds, checksum, ...readSchedule(), busyTicks: readBusyTicks() };
    parentPort!.postMessage(sample);
    while (boundary <= now) boundary += sliceNs;
  }
});
