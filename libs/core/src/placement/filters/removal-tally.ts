import { inEnglish, type Phrase } from '../../phrases/index.js';
import type { RemovedNodes } from '../placement-decision.js';
import type { WorkingNode } from '../turn/working-node.js';

const maxExamples = 3;

/** Counts the nodes that each filter removed, in the order in which filters first removed something. */
export class RemovalTally {
  private readonly byFilter = new Map<string, RemovedNodes>();

  /** `summary` is only asked for the first node of a filter. */
  count(filter: string, node: WorkingNode, summary: () => Phrase): void {
    let removed = this.byFilter.get(filter);
    if (removed === undefined) {
      const phrase = summary();
      removed = { filter, count: 0, reason: inEnglish(phrase), phrase, examples: [] };
      this.byFilter.set(filter, removed);
    }
    removed.count += 1;
    if (removed.examples.length < maxExamples) removed.examples.push(node.snapshot.name);
  }

  list(): RemovedNodes[] {
    return [...this.byFilter.values()];
  }
}
