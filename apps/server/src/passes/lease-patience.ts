/** Above this share of the registered nodes a silence is taken for a fault of the network or the server. */
const MASS_LOSS_SHARE = 0.3;
/** Fewer nodes than this never count as a mass: in a small cluster a third is one machine. */
const MASS_LOSS_NODES = 3;

/**
 * When silence may be believed. Times are seconds of one monotonic clock. After an outage of the observer (start, freeze, database away) everything that was
 * silent meanwhile gets a full lease; so does, once, a large part of the cluster that falls silent together.
 */
export class LeasePatience {
  private lastSuccessSeconds: number | null = null;
  private beganSeconds = 0;
  private away = false;
  private graceUntilSeconds = 0;
  private holdUntilSeconds: number | null = null;

  constructor(
    private readonly leaseSeconds: number,
    /** Longer than this between two successful passes, or within one, counts as an outage. */
    private readonly outageSeconds: number,
  ) {}

  /** Call at the beginning of a pass; true for the first that notices an outage. */
  passBegins(nowSeconds: number): boolean {
    this.beganSeconds = nowSeconds;
    const outage = this.lastSuccessSeconds === null || nowSeconds - this.lastSuccessSeconds > this.outageSeconds;
    const noticed = outage && !this.away;
    this.away ||= outage;
    return noticed;
  }

  /** Call when a pass has succeeded. The grace after an outage counts from here: until now nobody could hear the nodes. */
  passEnds(nowSeconds: number): void {
    if (this.wasFrozen(nowSeconds)) return; // the next pass takes it for an outage
    if (this.away) this.graceUntilSeconds = nowSeconds + this.leaseSeconds;
    this.away = false;
    this.lastSuccessSeconds = nowSeconds;
  }

  /** Whether this pass may believe that who is silent now was silent all the time. */
  trusts(nowSeconds: number): boolean {
    return !this.away && !this.wasFrozen(nowSeconds) && nowSeconds >= this.graceUntilSeconds;
  }

  private wasFrozen(nowSeconds: number): boolean {
    return nowSeconds - this.beganSeconds > this.outageSeconds;
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
