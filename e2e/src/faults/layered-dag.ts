import type { Journal, TaskFields } from '@medley/testing';

export interface LayeredDag {
  tasks: Record<string, TaskFields>;
  parents: ReadonlyMap<string, readonly string[]>;
}

/**
 * A DAG of `layers` × `width` shell tasks of 0.1 to 1 s. Each has one to three parents in the layer before, so that it takes `layers` steps at least;
 * each prints ten numbered lines over its time and appends to the journal.
 */
export function aLayeredDag(journal: Journal, random: () => number, layers: number, width: number): LayeredDag {
  const tasks: Record<string, TaskFields> = {};
  const parents = new Map<string, string[]>();
  for (let layer = 1; layer <= layers; layer += 1) {
    for (let place = 1; place <= width; place += 1) {
      const key = `t-${layer}-${place}`;
      const needs = layer === 1 ? [] : drawParents(random, layer - 1, width);
      const pause = (0.01 + random() * 0.09).toFixed(3);
      const script = `for i in 0 1 2 3 4 5 6 7 8 9; do echo "$MEDLEY_TASK line $i"; sleep ${pause}; done`;
      tasks[key] = journal.task(script, needs.length > 0 ? { needs } : {});
      parents.set(key, needs);
    }
  }
  return { tasks, parents };
}

function drawParents(random: () => number, layer: number, width: number): string[] {
  const count = 1 + Math.floor(random() * 3);
  return [...new Set(Array.from({ length: count }, () => `t-${layer}-${1 + Math.floor(random() * width)}`))];
}

/** What such a task prints. */
export function expectedOutput(task: string): string {
  return Array.from({ length: 10 }, (_, index) => `${task} line ${index}\n`).join('');
}
