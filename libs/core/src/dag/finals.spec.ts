import { describe, expect, it } from 'vitest';
import type { TaskRunState } from '../runs/index.js';
import {
  type DagTask,
  evaluateChildren,
  evaluateFinals,
  evaluateWaiting,
  indexDag,
  tasksToRerun,
  topologicalLevels,
  validateDag,
} from './index.js';

const task = (key: string, conditions: DagTask['needs']['conditions'] = {}, isFinal = false): DagTask => ({
  key,
  needs: { mode: 'all', conditions },
  isFinal,
});
const tasks = [
  task('a'),
  task('b', { a: 'succeeded' }),
  task('page', { a: 'failed' }, true),
  task('tidy', {}, true),
  task('last', { tidy: 'succeeded', page: 'succeeded' }, true),
];
const dag = indexDag(tasks);
const states = (record: Record<string, TaskRunState>) =>
  new Map<string, TaskRunState>([...tasks.map(({ key }) => [key, 'waiting'] as const), ...Object.entries(record)]);

describe('final tasks', () => {
  it('do not begin with the run, nor behind one task of several', () => {
    expect(evaluateWaiting(dag, states({}))).toEqual([{ key: 'a', next: 'ready' }]);
    expect(evaluateChildren(dag, states({ a: 'failed' }), ['a']).map(({ key }) => key)).toEqual(['b']);
  });

  it('are decided together once all others have ended, by their own needs', () => {
    const decided = evaluateFinals(dag, states({ a: 'succeeded', b: 'failed' }));
    expect(decided.map(({ key, next }) => [key, next])).toEqual([
      ['page', 'skipped'],
      ['tidy', 'ready'],
      ['last', 'skipped'],
    ]);
  });

  it('begin at once in a run whose other tasks are all kept', () => {
    expect(evaluateWaiting(dag, states({ a: 'succeeded', b: 'succeeded' })).map(({ key }) => key)).toEqual(['page', 'tidy', 'last']);
  });

  it('run again with whatever runs again, and alone when only they failed', () => {
    const ended = { page: 'skipped', tidy: 'succeeded', last: 'skipped' } as const;
    expect(tasksToRerun(dag, states({ a: 'succeeded', b: 'failed', ...ended }), { mode: 'failed' }).anew).toEqual([
      'b',
      'page',
      'tidy',
      'last',
    ]);
    expect(
      tasksToRerun(dag, states({ a: 'succeeded', b: 'succeeded', page: 'succeeded', tidy: 'failed', last: 'skipped' }), { mode: 'failed' })
        .kept,
    ).toEqual(['a', 'b']);
  });

  it('stand right of all others in a drawing', () => {
    expect(topologicalLevels(tasks)).toEqual([['a'], ['b'], ['page', 'tidy'], ['last']]);
  });

  it('may not be needed by the others, and are no workflow by themselves', () => {
    expect(validateDag([task('tidy', {}, true), task('a', { tidy: 'done' })])).toMatchObject([{ kind: 'final-need', task: 'a' }]);
    expect(validateDag([task('tidy', {}, true)])).toMatchObject([{ kind: 'empty' }]);
  });
});
