import type { AttemptRef, Report } from '@medley/contracts';

/** Room left in one request; takers lower it. */
export interface ReportBudget {
  reports: number;
  bytes: number;
}

export interface TakenReports {
  reports: Report[];
  /** The budget ended before the source did. */
  more: boolean;
}

/** Something that has reports of one attempt to send, in order, until each is acknowledged. */
export interface ReportSource {
  readonly ref: AttemptRef;
  /** All unacknowledged reports, then new ones, as far as the budget goes. */
  take(budget: ReportBudget): Promise<TakenReports>;
  /** The server has committed everything up to `sequence`; returns whether that is news. */
  acknowledge(sequence: number): boolean;
  /** The attempt does not count any more. */
  refuse(reason: string): void;
  hasNews(): boolean;
}
