/** What a task may ask of one it needs. `done` is any end: succeeded, failed, skipped or cancelled. */
export type NeedCondition = 'succeeded' | 'failed' | 'done' | 'skipped';

export const needConditions: readonly NeedCondition[] = ['succeeded', 'failed', 'done', 'skipped'];

/** `all`: every condition must hold; `any`: one is enough. No conditions: a root, ready at once. */
export interface Needs {
  mode: 'all' | 'any';
  conditions: Readonly<Record<string, NeedCondition>>;
}

export interface DagTask {
  key: string;
  needs: Needs;
  /** A task of `finally`: beyond its own needs it waits until every task of `tasks` has ended. */
  isFinal?: boolean;
}

/** Tasks by key and the tasks that need each, both in file order; `finals` are the keys of those that run when all others have ended. */
export interface Dag {
  tasks: ReadonlyMap<string, DagTask>;
  children: ReadonlyMap<string, readonly string[]>;
  finals: readonly string[];
}

export function parentsOf(task: DagTask): string[] {
  return Object.keys(task.needs.conditions);
}

/** Indexes tasks for evaluation. Needs that name no task are left out; `validateDag` reports them. */
export function indexDag(tasks: readonly DagTask[]): Dag {
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  const children = new Map<string, string[]>(tasks.map((task) => [task.key, []]));
  for (const task of tasks) {
    for (const parent of parentsOf(task)) children.get(parent)?.push(task.key);
  }
  return { tasks: byKey, children, finals: tasks.filter((task) => task.isFinal).map((task) => task.key) };
}

/**
 * Task keys so that each comes after all it needs, otherwise in file order. Tasks on or behind a cycle are missing from the
 * result, so a shorter one means that there is a cycle.
 */
export function topologicalOrder(dag: Dag): string[] {
  const missing = new Map<string, number>();
  const order: string[] = [];
  for (const [key, task] of dag.tasks) {
    const count = parentsOf(task).filter((parent) => dag.tasks.has(parent)).length;
    missing.set(key, count);
    if (count === 0) order.push(key);
  }
  for (const key of order) {
    for (const child of dag.children.get(key) ?? []) {
      const left = missing.get(child)! - 1;
      missing.set(child, left);
      if (left === 0) order.push(child);
    }
  }
  return order;
}
