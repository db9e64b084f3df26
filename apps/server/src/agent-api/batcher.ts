import { isDatabaseUnavailable } from '../database/database-faults.js';

/**
 * Collects calls and hands them to one function together: the first of an idle time at once, those that come while a batch is under way with the next one.
 * A batch that fails for what one of its calls holds is done again call by call, so that one agent cannot fail the calls of the others; `run` must therefore
 * leave nothing behind when it fails. While the database is away each of the calls fails at once.
 */
export class Batcher<Input, Output> {
  private queue: { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }[] = [];
  private busy = false;

  constructor(
    /** Answers in the order of its inputs. */
    private readonly run: (inputs: Input[]) => Promise<Output[]>,
    private readonly sizeOf: (input: Input) => number,
    private readonly maxSize: number,
  ) {}

  submit(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.queue.push({ input, resolve, reject });
      if (!this.busy) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.busy = true;
    await Promise.resolve(); // calls parsed from the same network read join the first batch
    while (this.queue.length > 0) {
      const batch = this.take();
      await this.runBatch(batch);
    }
    this.busy = false;
  }

  private async runBatch(batch: typeof this.queue): Promise<void> {
    try {
      const outputs = await this.run(batch.map((call) => call.input));
      batch.forEach((call, index) => {
        call.resolve(outputs[index]!);
      });
    } catch (error) {
      if (batch.length > 1 && !isDatabaseUnavailable(error)) for (const call of batch) await this.runBatch([call]);
      else for (const call of batch) call.reject(error);
    }
  }

  private take(): typeof this.queue {
    let size = 0;
    let count = 0;
    for (const call of this.queue) {
      size += this.sizeOf(call.input);
      if (count > 0 && size > this.maxSize) break;
      count++;
    }
    return this.queue.splice(0, count);
  }
}
