/** Refusals of one kind from one source, and of all, that a server records in a minute. */
const PER_SOURCE = 10;
const OVERALL = 300;
const WINDOW_MS = 60_000;

interface Window {
  since: number;
  recorded: number;
  unrecorded: number;
}

/** Keeps those who are refused from filling the audit: what goes beyond the budget is counted, and told with the next one that is recorded. */
export class RefusalBudget {
  private readonly windows = new Map<string, Window>();
  private all = { since: 0, recorded: 0 };

  constructor(private readonly nowMs: () => number) {}

  /** How many before this one were not recorded; null when this one is not to be recorded either. */
  admit(source: string): number | null {
    const now = this.nowMs();
    if (now - this.all.since >= WINDOW_MS) this.begin(now);
    const window = this.windows.get(source) ?? { since: now, recorded: 0, unrecorded: 0 };
    if (now - window.since >= WINDOW_MS) Object.assign(window, { since: now, recorded: 0 });
    if (window.recorded >= PER_SOURCE || this.all.recorded >= OVERALL) {
      // Sources that nothing is recorded of are not remembered, or garbage would fill the memory instead.
      if (this.windows.has(source)) window.unrecorded++;
      return null;
    }
    const { unrecorded } = window;
    this.windows.set(source, { ...window, recorded: window.recorded + 1, unrecorded: 0 });
    this.all.recorded++;
    return unrecorded;
  }

  /** Forgets sources that have been quiet: after an hour also what was not recorded of them. */
  private begin(now: number): void {
    this.all = { since: now, recorded: 0 };
    for (const [source, { since, unrecorded }] of this.windows) {
      if (now - since >= WINDOW_MS * (unrecorded === 0 ? 2 : 60)) this.windows.delete(source);
    }
  }
}
