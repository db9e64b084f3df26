/** CPU time that may be used in one go: what the share yields in this much time. Holding and letting run alternate about twice as slowly. */
const REACH_MS = 75;
/** What was used beyond the budget is made up for, but a tree is never held for longer than this at a stretch. */
const LONGEST_HOLD_MS = 2000;
const LEAST_LOOK_MS = 5;
const MOST_LOOK_MS = 40;
const RATE_WEIGHT = 0.3;

/**
 * Decides from used CPU time whether work may run. The budget grows with the clock by `cores` (0.25 is a quarter of a core) and shrinks by what
 * was used, on however many cores; empty means hold, full means let run. Coarse readings do no harm: their error does not add up.
 */
export class CpuBudget {
  private creditMs: number;
  private rate = 1;
  isHolding = false;

  constructor(private readonly cores: number) {
    this.creditMs = this.fullMs;
  }

  private get fullMs(): number {
    return this.cores * REACH_MS;
  }

  /** So much time has passed since the last call, and so much CPU time was used in it. */
  account(wallMs: number, cpuMs: number): void {
    if (!this.isHolding && wallMs > 0) {
      this.rate += RATE_WEIGHT * (cpuMs / wallMs - this.rate);
    }
    const credit = this.creditMs + this.cores * wallMs - cpuMs;
    this.creditMs = Math.min(this.fullMs, Math.max(-this.cores * LONGEST_HOLD_MS + this.fullMs, credit));
    if (this.creditMs <= 0) {
      this.isHolding = true;
    } else if (this.creditMs >= this.fullMs) {
      this.isHolding = false;
    }
  }

  /** When to account next, so that neither the end of the budget nor its return is missed by much. */
  get nextLookMs(): number {
    const spendingRate = Math.max(this.rate - this.cores, 0.1);
    const dueMs = this.isHolding ? (this.fullMs - this.creditMs) / this.cores : this.creditMs / spendingRate;
    return Math.min(MOST_LOOK_MS, Math.max(LEAST_LOOK_MS, dueMs));
  }
}
