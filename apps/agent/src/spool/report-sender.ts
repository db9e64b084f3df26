import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Report, type ReportsAnswer, reportsAnswerSchema, type StopOrder } from '@medley/contracts';
import { backoffMs, pause } from '../backoff.js';
import type { Logger } from '../log.js';
import type { ServerClient } from '../transport/server-client.js';
import type { ReportBudget, ReportSource } from './report-source.js';

const MAX_REPORTS = 1000;
const MAX_BYTES = 3 * 1024 * 1024;
const SOURCES_AT_ONCE = 32;

/**
 * Sends the reports of all attempts: one request at a time, holding what was collected while the one before was under way. Under light load a
 * report leaves at the end of its turn of the event loop; under heavy load requests grow instead of queueing up. What is not acknowledged is sent again, in order.
 */
export class ReportSender {
  private readonly sources = new Map<string, ReportSource>();
  private readonly dirty = new Set<string>();
  private running: Promise<void> | null = null;
  private failures = 0;
  private closed = true;
  private readonly abort = new AbortController();

  constructor(
    private readonly client: ServerClient,
    private readonly onStops: (stops: StopOrder[]) => void,
    private readonly log: Logger,
  ) {}

  /** From here on reports go out; before the first session they only collect. */
  open(): void {
    this.closed = false;
    this.run();
  }

  /** The source has something to send. */
  notify(source: ReportSource): void {
    this.sources.set(source.ref.attemptId, source);
    this.dirty.add(source.ref.attemptId);
    this.run();
  }

  /** The source is done for; nothing of it is sent any more. */
  forget(source: ReportSource): void {
    this.sources.delete(source.ref.attemptId);
    this.dirty.delete(source.ref.attemptId);
  }

  /** Sends what is there for at most `waitMs`, then stops; the rest stays on disk for the next agent. */
  async close(waitMs: number): Promise<void> {
    const deadline = pause(waitMs, this.abort.signal);
    const idle = (async () => {
      while (this.running !== null) {
        await this.running;
      }
    })();
    await Promise.race([deadline, idle]);
    this.closed = true;
    this.abort.abort();
    await idle;
  }

  private run(): void {
    if (this.running === null && !this.closed && this.dirty.size > 0) {
      this.running = this.loop().finally(() => {
        this.running = null;
        this.run();
      });
    }
  }

  private async loop(): Promise<void> {
    await nextTurn();
    while (this.dirty.size > 0 && !this.closed) {
      let progress = false;
      try {
        progress = await this.sendOnce();
        this.failures = progress ? 0 : this.failures + 1;
      } catch (error) {
        if (this.closed) {
          return;
        }
        this.failures += 1;
        this.log.warn({ error: String(error), failures: this.failures }, 'reports not delivered, will send them again');
      }
      if (!progress) {
        await pause(backoffMs(this.failures, 50, 2000), this.abort.signal);
      }
    }
  }

  /** One request. Returns whether anything went forward. */
  private async sendOnce(): Promise<boolean> {
    const { reports, taken, failed } = await this.collect();
    if (reports.length === 0) {
      return !failed;
    }
    try {
      const answer = await this.client.request({
        method: 'POST',
        path: 'reports',
        body: { reports },
        answer: reportsAnswerSchema,
        timeoutMs: 10_000,
        signal: this.abort.signal,
      });
      return this.apply(answer, taken);
    } catch (error) {
      for (const id of taken.keys()) {
        this.markDirty(id);
      }
      throw error;
    }
  }

  private async collect(): Promise<{ reports: Report[]; taken: Map<string, boolean>; failed: boolean }> {
    const budget: ReportBudget = { reports: MAX_REPORTS, bytes: MAX_BYTES };
    const reports: Report[] = [];
    const taken = new Map<string, boolean>();
    let failed = false;
    const waiting = [...this.dirty];
    for (let from = 0; from < waiting.length && budget.reports > 0 && budget.bytes > 0; from += SOURCES_AT_ONCE) {
      const ids = waiting.slice(from, from + SOURCES_AT_ONCE);
      const results = await Promise.all(
        ids.map(async (id) => {
          this.dirty.delete(id);
          const result = await this.sources
            .get(id)
            ?.take(budget)
            .catch((error: unknown) => {
              this.log.warn({ attemptId: id, error: String(error) }, 'cannot read or write the spool of this attempt');
              failed = true;
              this.markDirty(id);
              return null;
            });
          return { id, result };
        }),
      );
      for (const { id, result } of results) {
        if (result && this.sources.has(id)) {
          reports.push(...result.reports);
          taken.set(id, result.more);
        }
      }
    }
    return { reports, taken, failed };
  }

  private apply(answer: ReportsAnswer, taken: Map<string, boolean>): boolean {
    let progress = false;
    for (const ack of answer.acks) {
      const source = this.sources.get(ack.attemptId);
      if (source === undefined || source.ref.fence !== ack.fence) {
        continue;
      }
      if (ack.refused !== null) {
        source.refuse(ack.refused);
        progress = true;
      } else {
        progress = source.acknowledge(ack.sequence) || progress;
      }
    }
    for (const [id, more] of taken) {
      if (more || this.sources.get(id)?.hasNews()) {
        this.markDirty(id);
      }
    }
    if (answer.stops.length > 0) {
      this.onStops(answer.stops);
    }
    return progress;
  }

  private markDirty(id: string): void {
    if (this.sources.has(id)) {
      this.dirty.add(id);
    }
  }
}
