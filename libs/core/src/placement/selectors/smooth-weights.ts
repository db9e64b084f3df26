/** One node's entry of smooth weighted round robin. All numbers are integers, so that sums are exact. */
export interface SmoothWeight {
  currentWeight: number;
  effectiveWeight: number;
}

/** The entries of one static eligibility class by node id. */
export type SmoothWeights = Record<string, SmoothWeight>;

/** What selectors remember between turns, by eligibility class. JSON-serialisable. */
export type SelectorState = Record<string, SmoothWeights>;

/** A member of a class, or a candidate of one pick, with its integer weight. */
export interface WeightedNode {
  id: string;
  weight: number;
}

/** One unit of weight is a hundredth of performance 1; an effective weight recovers by one unit a pick. */
export const smoothWeightScale = 100;

/** The integer weight of a performance; above 0 it is never rounded to 0. */
export function smoothWeightOf(performance: number): number {
  return performance > 0 ? Math.max(1, Math.round(performance * smoothWeightScale)) : 0;
}

/**
 * The class's entries for exactly these members of weight above 0 (weight 0 drains: it leaves). A new member joins at 0. What is missing to
 * Σ currentWeight = 0, the sum that leavers took along, is spread over those that stay, in whole units, the remainder by id order.
 */
export function reconcileSmoothWeights(before: Readonly<SmoothWeights>, members: readonly WeightedNode[]): SmoothWeights {
  const after: SmoothWeights = {};
  const stayers: SmoothWeight[] = [];
  let sum = 0;
  for (const { id, weight } of [...members].sort((left, right) => (left.id < right.id ? -1 : 1))) {
    if (weight <= 0) continue;
    const known = Object.hasOwn(before, id) ? before[id] : undefined;
    after[id] = { currentWeight: known?.currentWeight ?? 0, effectiveWeight: Math.min(known?.effectiveWeight ?? weight, weight) };
    if (known === undefined) continue;
    stayers.push(after[id]);
    sum += known.currentWeight;
  }
  spread(-sum, stayers);
  return after;
}

function spread(amount: number, over: readonly SmoothWeight[]): void {
  if (over.length === 0 || amount === 0) return;
  const share = Math.trunc(amount / over.length);
  const unit = Math.sign(amount);
  let remainder = Math.abs(amount - share * over.length);
  for (const entry of over) {
    entry.currentWeight += share + (remainder > 0 ? unit : 0);
    remainder -= 1;
  }
}

/**
 * One pick, as in nginx: every candidate's current weight grows by its effective weight, the largest wins (the first on a tie) and pays what
 * all have gained. Only candidates take part, so a momentarily full member keeps its current weight and Σ over the class stays 0.
 * Changes `entries`; returns null when no candidate has a weight.
 */
export function pickSmoothly(
  entries: SmoothWeights,
  candidates: readonly WeightedNode[],
): { chosenIndex: number; currentWeights: number[] } | null {
  let total = 0;
  let chosenIndex = -1;
  let chosen: SmoothWeight | null = null;
  const currentWeights: number[] = [];
  for (const [index, { id, weight }] of candidates.entries()) {
    const entry = entries[id];
    currentWeights.push(entry?.currentWeight ?? 0);
    if (entry === undefined || weight <= 0) continue;
    entry.currentWeight += entry.effectiveWeight;
    total += entry.effectiveWeight;
    currentWeights[index] = entry.currentWeight;
    if (entry.effectiveWeight < weight) entry.effectiveWeight += 1;
    if (chosen !== null && entry.currentWeight <= chosen.currentWeight) continue;
    chosen = entry;
    chosenIndex = index;
  }
  if (chosen === null) return null;
  chosen.currentWeight -= total;
  return { chosenIndex, currentWeights };
}

/** After as many halvings every weight has reached its floor; counting further failures changes nothing. */
export const maxFailures = 30;

/** Halves the node's effective weight in every class it belongs to, not below one unit, so that it can come back. */
export function recordFailure(state: Readonly<SelectorState>, nodeId: string): SelectorState {
  return Object.fromEntries(
    Object.entries(state).map(([classKey, entries]) => {
      const entry = Object.hasOwn(entries, nodeId) ? entries[nodeId] : undefined;
      if (entry === undefined) return [classKey, entries];
      const effectiveWeight = Math.max(1, Math.floor(entry.effectiveWeight / 2));
      return [classKey, { ...entries, [nodeId]: { ...entry, effectiveWeight } }];
    }),
  );
}
