import type { TaskRunState } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { edgesOf, type GraphTask } from './graph-model.js';
import { groupTasks } from './group-tasks.js';

const task = (key: string, from: string[] = [], state?: TaskRunState): GraphTask => ({
  key,
  kind: 'shell',
  needs: { mode: 'all', conditions: Object.fromEntries(from.map((each) => [each, 'succeeded' as const])) },
  ...(state && { state }),
});
const numbered = (name: string, count: number, from: string[] = []) =>
  Array.from({ length: count }, (_, index) => task(`${name}${index}`, from, 'succeeded'));
const counted = (members: readonly GraphTask[], state: TaskRunState | undefined) => `${members.length} ${state ?? '-'}`;
const lines = (edges: ReturnType<typeof edgesOf>) => edges.map(({ from, to }) => `${from} > ${to}`).sort();

describe('the groups of a graph', () => {
  const loads = numbered('load-', 400, ['start']);
  const graph = [
    task('start'),
    ...loads,
    task(
      'join',
      loads.map(({ key }) => key),
    ),
  ];

  it('stand for their tasks with their number, their weightiest state and all that leads to and from them', () => {
    const failing = graph.map((each) => (each.key === 'load-7' ? { ...each, state: 'failed' as const } : each));
    const { tasks, groupOf } = groupTasks(failing, new Set(), counted);
    expect(tasks.map(({ key, note, state }) => [key, note, state])).toEqual([
      ['start', undefined, undefined],
      ['join', undefined, undefined],
      ['load*', '400 failed', 'failed'],
    ]);
    expect(lines(edgesOf(tasks))).toEqual(['load* > join', 'start > load*']);
    expect(groupOf.get('load-7')).toBe('load*');
    expect(groupOf.has('join')).toBe(false);
  });

  it('are the tasks themselves once opened', () => {
    const { tasks, groupOf } = groupTasks(graph, new Set(['load*']), counted);
    expect(tasks).toEqual(graph);
    expect(groupOf.size).toBe(0);
  });

  it('never make a cycle: what stands on another level is another group', () => {
    const first = numbered('t', 3);
    const later = [3, 4, 5].map((number) => task(`t${number}`, ['middle']));
    const { tasks } = groupTasks([...first, task('middle', ['t0']), ...later], new Set(), counted);
    expect(lines(edgesOf(tasks))).toEqual(['middle > t* 3', 't* > middle']);
  });

  it('leave alone what is by two or has nothing in common', () => {
    const few = [task('load-1'), task('load-2'), task('alpha'), task('beta')];
    expect(groupTasks(few, new Set(), counted).tasks).toEqual(few);
  });

  it('are found among five thousand tasks', () => {
    const { tasks } = groupTasks([...numbered('a-', 2500), ...numbered('b-', 2500, ['a-0'])], new Set(), counted);
    expect(tasks.map(({ key }) => key)).toEqual(['a*', 'b*']);
  });
});
