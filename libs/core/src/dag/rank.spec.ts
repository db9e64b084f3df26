import { describe, expect, it } from 'vitest';
import { type DagTask, indexDag, tasksToRerun, topologicalLevels, upwardRanks } from './index.js';

const task = (key: string, ...parents: string[]): DagTask => ({
  key,
  needs: { mode: 'all', conditions: Object.fromEntries(parents.map((parent) => [parent, 'succeeded' as const])) },
});
const diamond = [task('extract'), task('slow', 'extract'), task('quick', 'extract'), task('join', 'slow', 'quick')];
const seconds: Record<string, number> = { extract: 5, slow: 100, quick: 1, join: 10 };

describe('upward ranks', () => {
  it('are the longest remaining path, the task included', () => {
    const ranks = upwardRanks(diamond, (key) => seconds[key]!);
    expect(Object.fromEntries(ranks)).toEqual({ extract: 115, slow: 110, quick: 11, join: 10 });
  });

  it('are computed for a chain of ten thousand without exhausting the stack', () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => (index === 0 ? task('t0') : task(`t${index}`, `t${index - 1}`)));
    expect(upwardRanks(chain, () => 1).get('t0')).toBe(10_000);
  });
});

describe('levels for drawing', () => {
  it('put each task one column right of the last that it needs', () => {
    expect(topologicalLevels([task('late', 'join'), ...diamond, task('other')])).toEqual([
      ['extract', 'other'],
      ['slow', 'quick'],
      ['join'],
      ['late'],
    ]);
  });
});

describe('a rerun', () => {
  const dag = indexDag([...diamond, task('report', 'quick')]);
  const states = new Map([
    ['extract', 'succeeded'],
    ['slow', 'failed'],
    ['quick', 'succeeded'],
    ['join', 'skipped'],
    ['report', 'cancelled'],
  ] as const);

  it('of failed tasks keeps what succeeded and is not downstream of what runs anew', () => {
    expect(tasksToRerun(dag, states, { mode: 'failed' })).toEqual({
      kept: ['extract', 'quick'],
      anew: ['slow', 'join', 'report'],
      unmet: [],
    });
  });

  it('takes a succeeded task again when it is downstream of a failed one', () => {
    const cleanedUp = new Map([...states, ['join', 'succeeded'] as const]);
    expect(tasksToRerun(dag, cleanedUp, { mode: 'failed' }).anew).toContain('join');
  });

  it('of all tasks keeps none', () => {
    expect(tasksToRerun(dag, states, { mode: 'all' })).toEqual({
      kept: [],
      anew: ['extract', 'slow', 'quick', 'join', 'report'],
      unmet: [],
    });
  });
});
