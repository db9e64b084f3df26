import type { DagTask, RunAttempt, TaskRunItem } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { criticalPath, ganttRows, spanOf, ticksOf } from './gantt-model.js';

const at = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString());
const item = (key: string, fields: Partial<TaskRunItem> = {}) =>
  ({ key, state: 'succeeded', readyAt: null, finishedAt: null, ...fields }) as TaskRunItem;
const task = (key: string, ...needs: string[]) => ({ key, needs: needs.map((need) => ({ task: need, on: 'succeeded' })) }) as DagTask;
const attempt = (
  taskKey: string,
  number: number,
  [dispatched, claimed, finished]: [number, number | null, number | null],
  state = 'succeeded',
) => ({ taskKey, number, state, dispatchedAt: at(dispatched), claimedAt: at(claimed), finishedAt: at(finished) }) as RunAttempt;
const barsOf = (rows: ReturnType<typeof ganttRows>, key: string) =>
  rows.find((row) => row.key === key)!.bars.map(({ kind, from, to }) => [kind, from / 1000, to === null ? null : to / 1000]);

describe('the bars of a task', () => {
  const dag = [task('first'), task('second', 'first')];

  it('part waiting from running, and begin when what it needed had ended', () => {
    const rows = ganttRows(
      dag,
      [item('first', { finishedAt: at(5) }), item('second', { finishedAt: at(9) })],
      [attempt('first', 1, [1, 2, 5]), attempt('second', 1, [6, 7, 9])],
      0,
    );
    expect(barsOf(rows, 'first')).toEqual([
      ['waiting', 0, 2],
      ['running', 2, 5],
    ]);
    expect(barsOf(rows, 'second')).toEqual([
      ['waiting', 5, 7],
      ['running', 7, 9],
    ]);
  });

  it('show each attempt, and the wait for a retry between them', () => {
    const rows = ganttRows(
      [task('only')],
      [item('only', { state: 'running' })],
      [attempt('only', 1, [0, 1, 3], 'failed'), attempt('only', 2, [8, 9, null], 'running')],
      0,
    );
    expect(barsOf(rows, 'only')).toEqual([
      ['waiting', 0, 1],
      ['running', 1, 3],
      ['retry-wait', 3, 8],
      ['waiting', 8, 9],
      ['running', 9, null],
    ]);
    expect(spanOf(rows, 20_000)).toEqual({ from: 0, to: 20_000 });
  });

  it('are open while it waits for a node or a retry, and absent before it may begin', () => {
    const rows = ganttRows(
      [task('blocked'), task('retrying'), task('later', 'blocked')],
      [
        item('blocked', { state: 'blocked', readyAt: at(2) }),
        item('retrying', { state: 'retry-wait', readyAt: at(0) }),
        item('later', { state: 'waiting' }),
      ],
      [attempt('retrying', 1, [0, 1, 4], 'failed')],
      0,
    );
    expect(barsOf(rows, 'blocked')).toEqual([['waiting', 2, null]]);
    expect(barsOf(rows, 'retrying').at(-1)).toEqual(['retry-wait', 4, null]);
    expect(rows.map(({ key }) => key)).toEqual(['retrying', 'blocked']);
  });
});

describe('the critical path', () => {
  it('goes back from the last end over the parent that ended last', () => {
    const parents = new Map([
      ['end', ['slow', 'fast']],
      ['slow', ['start']],
      ['fast', ['start']],
      ['start', []],
      ['aside', []],
    ]);
    const ends = new Map<string, number | null>([
      ['start', 1],
      ['fast', 2],
      ['slow', 5],
      ['end', 6],
      ['aside', 4],
    ]);
    expect([...criticalPath(parents, ends)]).toEqual(['end', 'slow', 'start']);
  });
});

describe('the marks of the axis', () => {
  it('are round offsets, no more of them than there is room for', () => {
    expect(ticksOf(0, 10_000, 5)).toEqual([0, 2000, 4000, 6000, 8000, 10_000]);
    expect(ticksOf(61_000, 299_000, 4)).toEqual([120_000, 180_000, 240_000]);
    expect(ticksOf(0, 40 * 864e5, 8).length).toBeLessThanOrEqual(9);
  });
});
