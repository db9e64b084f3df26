import type { AttemptRef, Report } from '@medley/contracts';
import type { ReportSource, TakenReports } from './report-source.js';

/**
 * The single report of a task that has nothing to run. It is kept in memory only: if the agent dies before the acknowledgement, the attempt is
 * missing from the next session's list and is given out again, and nothing has been done twice.
 */
export class NoopReport implements ReportSource {
  constructor(
    readonly ref: AttemptRef,
    private readonly onGone: () => void,
  ) {}

  async take(budget: { reports: number }): Promise<TakenReports> {
    if (budget.reports <= 0) {
      return { reports: [], more: true };
    }
    budget.reports -= 1;
    const body = { type: 'finished', outcome: 'succeeded', exitCode: 0, signal: null, detail: null, runSeconds: 0 } as const;
    const report: Report = { ...this.ref, sequence: 1, body };
    return { reports: [report], more: false };
  }

  acknowledge(sequence: number): boolean {
    if (sequence >= 1) {
      this.onGone();
    }
    return sequence >= 1;
  }

  refuse(): void {
    this.onGone();
  }

  hasNews(): boolean {
    return true;
  }
}
