import type { Logger } from 'pino';

/** What a pass says after one execution: whether there is more to do at once, or when at the latest it wants to run again. */
export interface PassResult {
  again?: boolean;
  /** Milliseconds until the next thing that is known to come due. */
  wakeInMs?: number;
}

/**
 * Runs one pass: never overlapping with itself, once more when it was woken meanwhile, at the instant it asked for, and after failures with a pause.
 * The regular interval comes from outside (@nestjs/schedule calls `wake`).
 */
export class PassRunner {
  private running: Promise<void> | null = null;
  private wokenMeanwhile = false;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private failures = 0;

  constructor(
    private readonly name: string,
    private readonly run: () => Promise<PassResult>,
    private readonly logger: Logger,
  ) {}

  wake = (): void => {
    if (this.stopped) return;
    if (this.running) {
      this.wokenMeanwhile = true;
      return;
    }
    this.running = this.loop().finally(() => {
      this.running = null;
      if (this.wokenMeanwhile && this.failures === 0) this.wake();
    });
  };

  /** No execution begins any more; resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  private async loop(): Promise<void> {
    for (;;) {
      this.wokenMeanwhile = false;
      let result: PassResult;
      try {
        result = await this.run();
        this.failures = 0;
      } catch (error) {
        this.failures++;
        this.logger.error({ err: error, pass: this.name }, 'a pass failed; it will run again');
        this.wakeIn(Math.min(5000, 100 * 2 ** this.failures));
        return;
      }
      if (result.wakeInMs !== undefined) this.wakeIn(result.wakeInMs);
      if (this.stopped || !(result.again || this.wokenMeanwhile)) return;
    }
  }

  private wakeIn(ms: number): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.stopped) return;
    const bounded = Math.max(0, Math.min(ms, 3_600_000));
    this.timer = setTimeout(this.wake, bounded);
  }
}
