import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { GpuLoad } from '@medley/contracts';

const run = promisify(execFile);
const question = ['--query-gpu=utilization.gpu,memory.used,memory.total', '--format=csv,noheader,nounits'];
/** nvidia-smi takes up to a second of a core; load is looked at this often at most. */
const READ_MS = 10_000;
const PATIENCE_MS = 5_000;

/** A line for each GPU: percent busy, MiB used, MiB there. Null when one has something that is no number, as a GPU without a meter says. */
export function gpusOf(answer: string): GpuLoad[] | null {
  const lines = answer.split('\n').filter((line) => line.trim() !== '');
  const gpus = lines.map((line) => {
    const [busyPercent = Number.NaN, memoryUsedMib = Number.NaN, memoryTotalMib = Number.NaN] = line.split(',').map(Number);
    return { busyPercent, memoryUsedMib, memoryTotalMib };
  });
  const isMeasured = gpus.length > 0 && gpus.every((gpu) => Object.values(gpu).every(Number.isFinite));
  return isMeasured ? gpus : null;
}

/** What the GPUs do, as last told: a heartbeat never waits for nvidia-smi. */
export class GpuMeter {
  private last: GpuLoad[] | null = null;
  private askedAt = Number.NEGATIVE_INFINITY;
  private isMissing = false;

  constructor(
    private readonly ask: () => Promise<string> = async () => (await run('nvidia-smi', question, { timeout: PATIENCE_MS })).stdout,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Null until they have been measured, and where they cannot be. */
  read(): GpuLoad[] | null {
    if (!this.isMissing && this.now() - this.askedAt >= READ_MS) {
      this.askedAt = this.now();
      void this.measure();
    }
    return this.last;
  }

  private async measure(): Promise<void> {
    try {
      this.last = gpusOf(await this.ask());
    } catch (error) {
      this.last = null;
      this.isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  }
}
