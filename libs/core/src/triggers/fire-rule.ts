/** A rule that tells instants in milliseconds. The preview, the calendar and the real fires all come from it. */
export interface FireRule {
  readonly zone: string;
  /** The first fire strictly after an instant, or null when none ever comes. */
  readonly nextAfter: (instantMs: number) => number | null;
}

/** Far enough back that every date that exists comes once within the 400 years of the calendar that follow it. */
const anInstantLongAgoMs = Date.UTC(2000, 0, 1);

/** The next fires strictly after an instant, fewer than `count` only when no more ever come. */
export function nextFires(rule: FireRule, afterMs: number, count: number): number[] {
  const fires: number[] = [];
  let next = count > 0 ? rule.nextAfter(afterMs) : null;
  while (next !== null) {
    fires.push(next);
    next = fires.length < count ? rule.nextAfter(next) : null;
  }
  return fires;
}

/** Whether a rule fires at all; false for dates that do not exist, such as 30 February. */
export function everFires(rule: FireRule): boolean {
  return rule.nextAfter(anInstantLongAgoMs) !== null;
}
