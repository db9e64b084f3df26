export const selectorNames = ['resource-pick-kx', 'smooth-weighted-round-robin', 'earliest-finish', 'random'] as const;

export type SelectorName = (typeof selectorNames)[number];

/** How a pool chooses among candidates. */
export interface PlacementPolicy {
  selector: SelectorName;
  /** Exponent of `resource-pick-kx`, at least 0; 1 when left out. A word stands for infinity because JSON has no number for it. */
  k?: number | 'infinity';
  /** Nodes whose CPU load in percent is at or above this take no new work; any load will do when left out. */
  maxCpuPercent?: number;
  /** How many short tasks may be sent ahead to a node that is about to have room for them, 0 to `maxPrefetch`; none when left out. */
  prefetch?: number;
}
