import type { DagTask, TaskRunItem } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { graphOfRun } from './run-graph.js';

const dag: DagTask[] = [
  { key: 'a', position: 0, kind: 'shell', level: 0, needs: [], needsMode: 'all', pool: 'default' },
  { key: 'b', position: 1, kind: 'shell', level: 1, needs: [{ task: 'a', on: 'failed' }], needsMode: 'all', pool: 'default' },
];
const item = (key: string, fields: Partial<TaskRunItem>): TaskRunItem => ({
  id: key,
  key,
  position: 0,
  state: 'waiting',
  reason: null,
  tries: 0,
  readyAt: null,
  retryAt: null,
  startedAt: null,
  finishedAt: null,
  keptFrom: null,
  attempt: null,
  ...fields,
});

describe('the graph of a run', () => {
  it('shows node and duration of what ended and the reason of what waits', () => {
    const items = [
      item('a', {
        state: 'succeeded',
        startedAt: '2026-01-01T00:00:00Z',
        finishedAt: '2026-01-01T00:00:02Z',
        attempt: { id: 'x', number: 1, state: 'succeeded', nodeId: 'n', node: 'alpha' },
      }),
      item('b', { state: 'blocked', reason: { code: 'no-capacity', text: 'all nodes are full' } }),
    ];
    const [a, b] = graphOfRun(
      dag,
      items,
      (ms) => `${ms} ms`,
      ({ code }) => (code === 'no-capacity' ? 'full' : null),
      ({ text }) => text,
    );
    expect(a).toMatchObject({ state: 'succeeded', note: 'alpha · 2000 ms' });
    expect(b).toMatchObject({ state: 'blocked', note: 'full', hint: 'all nodes are full', needs: { conditions: { a: 'failed' } } });
  });
});
