import { describe, expect, it } from 'vitest';
import { affectedQueries } from './affected-queries.js';

describe('what a change makes stale', () => {
  it('is the run page and every list with the run for a run', () => {
    const keys = affectedQueries({ entity: 'run', id: 'r1' }).map((key) => key.join('/'));
    expect(keys).toEqual(expect.arrayContaining(['run/r1', 'runs', 'overview', 'workflows']));
  });

  it('is the run of a task run, not all runs', () => {
    const keys = affectedQueries({ entity: 'task-run', id: 't1', runId: 'r1' }).map((key) => key.join('/'));
    expect(keys).toContain('run/r1');
    expect(keys).toContain('task-run/t1');
    expect(keys).not.toContain('runs');
  });

  it('is nothing that is cached for a log that grows: following one fetches neither the run nor its tasks again', () => {
    expect(affectedQueries({ entity: 'log', id: 'a1', runId: 'r1' })).toEqual([]);
  });
});
