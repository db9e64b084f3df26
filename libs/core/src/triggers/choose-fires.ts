import type { FireRule } from './fire-rule.js';

/** What is known of a fire: of the runs that the schedule, backfills and reruns have made for it. */
export interface KnownFire {
  /** Some run of it was begun, however it went; one that failed before it could be created was not. */
  begun: boolean;
  /** Some run of it has succeeded, or has not ended yet. */
  hopeful: boolean;
}

export type FireChoice = 'all' | 'missing' | 'unsuccessful';

/** Fires of a rule from an instant to another, both included, ascending; null when there are more than `most`, so that the walk ends for every rule. */
export function firesInRange(rule: Pick<FireRule, 'nextAfter'>, fromMs: number, toMs: number, most: number): number[] | null {
  const fires: number[] = [];
  for (let at = rule.nextAfter(fromMs - 1); at !== null && at <= toMs; at = rule.nextAfter(at)) {
    if (fires.length === most) return null;
    fires.push(at);
  }
  return fires;
}

/** Of some fires those that a backfill starts; the order is kept. */
export function chooseFires(fires: readonly number[], known: ReadonlyMap<number, KnownFire>, choice: FireChoice): number[] {
  if (choice === 'all') return [...fires];
  return fires.filter((at) => !(choice === 'missing' ? known.get(at)?.begun : known.get(at)?.hopeful));
}
