import { parentPort, workerData } from 'node:worker_threads';
import { createCpuKernel } from './cpu-kernel.js';

const ROUNDS_PER_LOOK = 20_000;
const WARM_UP_ROUNDS = 2_000_000;

const { sliceMs } = workerData as { sliceMs: number };
const kernel = createCpuKernel();
kernel(WARM_UP_ROUNDS);
parentPort!.postMessage('ready');

/** Each message times one slice by the wall clock, throttling by a quota included: that is what a task would get. */
parentPort!.on('message', () => {
  const startedAt = process.hrtime.bigint();
  const until = startedAt + BigInt(Math.round(sliceMs * 1e6));
  let rounds = 0;
  let sum = 0;
  let now = startedAt;
  while (now < until) {
    sum += kernel(ROUNDS_PER_LOOK);
    rounds += ROUNDS_PER_LOOK;
    now = process.hrtime.bigint();
  }
  parentPort!.postMessage({ roundsPerSecond: rounds / (Number(now - startedAt) / 1e9), sum });
});
