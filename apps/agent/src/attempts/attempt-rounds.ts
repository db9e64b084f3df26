import { monotonicMs } from '../clock.js';
import type { Lease } from '../lease/lease.js';
import type { Logger } from '../log.js';
import type { DiskWatch } from '../spool/disk-watch.js';
import type { ReportSender } from '../spool/report-sender.js';
import type { Attempt } from './attempt.js';
import type { AttemptBook } from './attempt-book.js';

const ROUND_MS = 150;
const ROUNDS_PER_DISK_LOOK = 7;

/** One timer for all attempts: new output, timeouts, the lease, a short disk, and the end of processes that are not this agent's children. */
export class AttemptRounds {
  private timer: NodeJS.Timeout | null = null;
  private count = 0;
  private readonly adopted = new Map<Attempt, () => Promise<boolean>>();

  constructor(
    private readonly book: AttemptBook,
    private readonly sender: ReportSender,
    private readonly lease: Lease,
    private readonly disk: DiskWatch,
    private readonly log: Logger,
  ) {}

  start(): void {
    const next = () => {
      this.timer = setTimeout(async () => {
        await this.round().catch((error: unknown) => this.log.error({ error: String(error) }, 'a round over the attempts failed'));
        next();
      }, ROUND_MS);
    };
    next();
  }

  stop(): void {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
  }

  /** `look` says whether the adopted process has ended, and tells its attempt when so. */
  watchAdopted(attempt: Attempt, look: () => Promise<boolean>): void {
    this.adopted.set(attempt, look);
  }

  private async round(): Promise<void> {
    if (this.count++ % ROUNDS_PER_DISK_LOOK === 0) {
      await this.disk.look();
    }
    for (const [attempt, look] of this.adopted) {
      if (await look()) {
        this.adopted.delete(attempt);
      }
    }
    const leaseRunsOut = this.lease.isRunningOut(monotonicMs());
    for (const attempt of this.book.all()) {
      this.checkStops(attempt, leaseRunsOut);
      await this.tendOutput(attempt);
    }
  }

  private checkStops(attempt: Attempt, leaseRunsOut: boolean): void {
    const { timeoutSeconds, grantedAtMs, onLeaseLost } = attempt.record;
    if (timeoutSeconds !== null && monotonicMs() >= grantedAtMs + timeoutSeconds * 1000) {
      void attempt.stop('timed_out');
    } else if (leaseRunsOut && onLeaseLost === 'stop') {
      void attempt.stop('lease_lost');
    }
  }

  private async tendOutput(attempt: Attempt): Promise<void> {
    try {
      if (this.disk.isShort) {
        await attempt.spool.dropLogs();
      }
      await attempt.spool.trim();
      if (attempt.spool.hasNews()) {
        this.sender.notify(attempt.spool);
      }
    } catch (error) {
      this.log.warn({ ...attempt.ref, error: String(error) }, 'cannot look after the output of this attempt');
    }
  }
}
