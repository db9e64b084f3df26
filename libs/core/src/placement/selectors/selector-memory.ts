import { reconcileSmoothWeights, type SelectorState, type SmoothWeights, type WeightedNode } from './smooth-weights.js';

/** The selector state during one turn: classes are copied when first touched, so that the input stays as it was. */
export class SelectorMemory {
  private readonly touched = new Map<string, SmoothWeights>();

  constructor(private readonly before: Readonly<SelectorState>) {}

  /** The working entries of a class; membership is fixed for a turn, so they are reconciled once. */
  smoothWeights(classKey: string, members: () => readonly WeightedNode[]): SmoothWeights {
    let entries = this.touched.get(classKey);
    if (entries === undefined) {
      const known = Object.hasOwn(this.before, classKey) ? this.before[classKey] : undefined;
      entries = reconcileSmoothWeights(known ?? {}, members());
      this.touched.set(classKey, entries);
    }
    return entries;
  }

  after(): SelectorState {
    return { ...this.before, ...Object.fromEntries(this.touched) };
  }
}
