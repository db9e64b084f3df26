import type { Sql } from '@medley/database';
import { describe, expect, it } from 'vitest';
import { taskSpec, workflowSpec } from '../testing/workflow.fixture.js';
import { WorkflowSpecs } from './workflow-specs.js';

/** Answers every version with a workflow of so many tasks and counts how often it is asked. */
function storeOf(tasks: number): Sql & { reads: number } {
  const spec = workflowSpec(
    Array.from({ length: tasks }, (_, position) => taskSpec(`t${position}`, position, {})),
    'stored',
  );
  const store = {
    reads: 0,
    query: async () => {
      store.reads++;
      return [{ spec }];
    },
  };
  return store as unknown as Sql & { reads: number };
}

describe('WorkflowSpecs', () => {
  it('reads a version once', async () => {
    const specs = new WorkflowSpecs();
    const store = storeOf(2);
    const first = await specs.load(store, 'w', 1);
    expect(await specs.load(store, 'w', 1)).toBe(first);
    expect(store.reads).toBe(1);
    expect(first.positionOf('t1')).toBe(1);
  });

  it('counts a version once when several ask for it at the same time, so that the cache keeps its size', async () => {
    const specs = new WorkflowSpecs(100);
    const store = storeOf(20);
    await Promise.all(Array.from({ length: 6 }, () => specs.load(store, 'a', 1)));
    await specs.load(store, 'b', 1);
    const readsBefore = store.reads;
    await specs.load(store, 'a', 1);
    expect(store.reads).toBe(readsBefore);
  });

  it('lets the least recently used go when it holds too many tasks', async () => {
    const specs = new WorkflowSpecs(100);
    const store = storeOf(40);
    for (const id of ['a', 'b', 'a', 'c']) await specs.load(store, id, 1);
    expect(store.reads).toBe(3);
    await specs.load(store, 'a', 1);
    expect(store.reads).toBe(3);
    await specs.load(store, 'b', 1);
    expect(store.reads).toBe(4);
  });
});
