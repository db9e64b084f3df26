import { describe, expect, it } from 'vitest';
import type { TaskRunState } from '../runs/index.js';
import { type DagTask, evaluateChildren, evaluateReadiness, evaluateWaiting, indexDag, type Needs } from './index.js';

const needing = (needs: Needs): DagTask => ({ key: 'child', needs });
const states = (record: Record<string, TaskRunState>) => new Map(Object.entries(record));
const all = (conditions: Needs['conditions']): Needs => ({ mode: 'all', conditions });
const any = (conditions: Needs['conditions']): Needs => ({ mode: 'any', conditions });

describe('readiness', () => {
  it('is given to a task without needs at once', () => {
    expect(evaluateReadiness(needing(all({})), states({}))).toBe('ready');
  });

  it('waits for every parent under `all`', () => {
    const task = needing(all({ a: 'succeeded', b: 'succeeded' }));
    expect(evaluateReadiness(task, states({ a: 'succeeded', b: 'retry-wait' }))).toBe('wait');
    expect(evaluateReadiness(task, states({ a: 'succeeded', b: 'succeeded' }))).toBe('ready');
  });

  it('is lost under `all` as soon as one parent missed, with the reason', () => {
    const task = needing(all({ a: 'succeeded', b: 'succeeded' }));
    expect(evaluateReadiness(task, states({ a: 'failed', b: 'running' }))).toEqual({
      skip: {
        text: 'a failed, needed: succeeded',
        values: { mode: 'all', parents: [{ key: 'a', state: 'failed', needed: 'succeeded' }], more: 0 },
      },
    });
  });

  it('comes under `any` with the first that holds, and is lost when all ended without', () => {
    const task = needing(any({ a: 'failed', b: 'failed' }));
    expect(evaluateReadiness(task, states({ a: 'failed', b: 'running' }))).toBe('ready');
    expect(evaluateReadiness(task, states({ a: 'succeeded', b: 'running' }))).toBe('wait');
    expect(evaluateReadiness(task, states({ a: 'succeeded', b: 'skipped' }))).toHaveProperty('skip');
  });

  it.each(['succeeded', 'failed', 'skipped', 'cancelled'] as const)('takes %s for `done`', (state) => {
    expect(evaluateReadiness(needing(all({ a: 'done' })), states({ a: state }))).toBe('ready');
  });

  it('takes a state that it does not know for not ended', () => {
    expect(evaluateReadiness(needing(all({ a: 'done' })), states({}))).toBe('wait');
  });
});

describe('children of a batch', () => {
  const dag = indexDag([
    { key: 'a', needs: all({}) },
    { key: 'b', needs: all({}) },
    { key: 'join', needs: all({ a: 'succeeded', b: 'succeeded' }) },
    { key: 'after', needs: all({ join: 'succeeded' }) },
    { key: 'tidy', needs: all({ after: 'done' }) },
    { key: 'page', needs: any({ a: 'failed', join: 'failed' }) },
  ]);
  const waiting = { join: 'waiting', after: 'waiting', tidy: 'waiting', page: 'waiting' } as const;

  it('are released once when two parents end together', () => {
    const decisions = evaluateChildren(dag, states({ a: 'succeeded', b: 'succeeded', ...waiting }), ['a', 'b']);
    expect(decisions).toEqual([{ key: 'join', next: 'ready' }]);
  });

  it('are skipped through need of success and released through `done`, in one answer', () => {
    const decisions = evaluateChildren(dag, states({ a: 'failed', b: 'succeeded', ...waiting }), ['a']);
    expect(decisions.map(({ key, next }) => `${key} ${next}`)).toEqual(['join skipped', 'page ready', 'after skipped', 'tidy ready']);
  });

  it('are left alone when they are not waiting any more', () => {
    const decisions = evaluateChildren(dag, states({ a: 'succeeded', b: 'succeeded', ...waiting, join: 'running' }), ['a', 'b']);
    expect(decisions).toEqual([]);
  });

  it('are found by the reconcile pass when a crash left them behind', () => {
    const decisions = evaluateWaiting(dag, states({ a: 'succeeded', b: 'succeeded', ...waiting }));
    expect(decisions).toEqual([{ key: 'join', next: 'ready' }]);
    expect(evaluateWaiting(dag, states({ a: 'waiting', b: 'waiting', ...waiting })).map(({ key }) => key)).toEqual(['a', 'b']);
  });
});
