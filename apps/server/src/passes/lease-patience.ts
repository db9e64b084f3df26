/** Above this share of the registered nodes a silence is taken for a fault of the network or the server. */
const MASS_LOSS_SHARE = 0.3;
/** Fewer nodes than this never count as a mass: in a small cluster a third is one machine. */
const MASS_LOSS_NODES = 3;

/**
 * When silence may be believed. Times are seconds of one monotonic clock. After an outage of the observer (start, freeze, database away) everything that was
 * silent meanwhile gets a full lease; so does, once, a large part of the cluster that falls silent together.
 */
export class LeasePatience {
  private lastEndSeconds: number | null = null;
  private graceUntilSeconds = 0;
  private holdUntilSeconds: number | null = null;

  constructor(
    private readonly leaseSeconds: number,
    /** A pause between two successful passes longer than this counts as an outage. */
    private readonly outageSeconds: number,
  ) {}

  /** Call at the beginning of a pass; true when it begins a grace period. */
  passBegins(nowSeconds: number): boolean {
    const outage = this.lastEndSeconds === null || nowSeconds - this.lastEndSeconds > this.outageSeconds;
    if (!outage) return false;
    this.lastEndSeconds = nowSeconds;
    this.graceUntilSeconds = nowSeconds + this.leaseSeconds;
    return true;
  }

  /** Call when a pass has succeeded. */
  passEnds(nowSeconds: number): void {
    if (nowSeconds - (this.lastEndSeconds ?? nowSeconds) <= this.outageSeconds) this.lastEndSeconds = nowSeconds;
  }

  inGrace(nowSeconds: number): boolean {
    return nowSeconds < this.graceUntilSeconds;
  }

  /** Whether this many silent nodes may be fenced off now. A hold lasts one lease and is not begun again while the same silence goes on. */
  judgeMassLoss(silent: number, registered: number, nowSeconds: number): 'proceed' | 'hold-begins' | 'hold' {
    const mass = silent >= MASS_LOSS_NODES && silent > registered * MASS_LOSS_SHARE;
    if (!mass) {
      this.holdUntilSeconds = null;
      return 'proceed';
    }
    if (this.holdUntilSeconds === null) {
      this.holdUntilSeconds = nowSeconds + this.leaseSeconds;
      return 'hold-begins';
    }
    if (nowSeconds < this.holdUntilSeconds) return 'hold';
    this.holdUntilSeconds = null;
    return 'proceed';
  }
}
