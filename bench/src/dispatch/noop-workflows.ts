/** So many tasks with nothing to do and no dependencies. */
export function independentNoops(count: number): Record<string, unknown> {
  const tasks = Array.from({ length: count }, (_, index) => [`task-${index + 1}`, { kind: 'noop' }]);
  return { medley: 1, project: 'default', workflow: `noops-${count}`, tasks: Object.fromEntries(tasks) };
}

/** A chain of tasks with nothing to do, each needing the one before. */
export function noopChain(length: number): Record<string, unknown> {
  const tasks = Array.from({ length }, (_, index) => [
    `task-${index + 1}`,
    index === 0 ? { kind: 'noop' } : { kind: 'noop', needs: [`task-${index}`] },
  ]);
  return { medley: 1, project: 'default', workflow: `chain-${length}`, tasks: Object.fromEntries(tasks) };
}
