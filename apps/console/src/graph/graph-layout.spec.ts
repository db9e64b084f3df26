import { describe, expect, it } from 'vitest';
import { layoutGraph } from './dag-layout.js';
import { edgesOf, type GraphLayout, type GraphTask, nodeHeight, nodeWidth, structureKey } from './graph-model.js';
import { levelLayout } from './level-layout.js';

const task = (key: string, ...parents: string[]): GraphTask => ({
  key,
  kind: 'shell',
  needs: { mode: 'all', conditions: Object.fromEntries(parents.map((parent) => [parent, 'succeeded' as const])) },
});
const fanOut = (width: number): GraphTask[] => {
  const middle = Array.from({ length: width }, (_, index) => task(`part-${index}`, 'start'));
  return [task('start'), ...middle, task('end', ...middle.map(({ key }) => key))];
};

function overlaps(layout: GraphLayout): number {
  const boxes = [...layout.positions.values()].sort((a, b) => a.x - b.x);
  let count = 0;
  for (const [index, box] of boxes.entries()) {
    for (let next = index + 1; next < boxes.length && boxes[next]!.x < box.x + nodeWidth; next += 1) {
      if (Math.abs(boxes[next]!.y - box.y) < nodeHeight) count += 1;
    }
  }
  return count;
}

describe.each([
  ['careful layout', layoutGraph],
  ['level layout', levelLayout],
])('the %s', (_, layout) => {
  it('places every task, none on another, each right of what it needs', () => {
    const tasks = [...fanOut(12), task('alone')];
    const placed = layout(tasks);
    expect(placed.positions.size).toBe(tasks.length);
    expect(overlaps(placed)).toBe(0);
    for (const edge of edgesOf(tasks)) expect(placed.positions.get(edge.from)!.x).toBeLessThan(placed.positions.get(edge.to)!.x);
  });
});

describe('a chain', () => {
  const chain = ['a', 'b', 'c', 'd', 'e'].map((key, index, keys) => (index === 0 ? task(key) : task(key, keys[index - 1]!)));

  it('runs to the right where there is room, and downwards in a narrow pane', () => {
    expect(layoutGraph(chain, { width: 1200, height: 600 }).direction).toBe('right');
    expect(layoutGraph(chain, { width: 500, height: 600 }).direction).toBe('down');
  });
});

describe('an edge with a word on it', () => {
  const pair = (on: 'succeeded' | 'failed'): GraphTask[] => [task('a'), { ...task('b'), needs: { mode: 'all', conditions: { a: on } } }];
  const gap = (on: 'succeeded' | 'failed') => layoutGraph(pair(on)).positions.get('b')!.x - nodeWidth;

  it('is longer than one without, and the drawing is laid out anew when it gets one', () => {
    expect(gap('succeeded')).toBe(44);
    expect(gap('failed')).toBeGreaterThanOrEqual(44 + 60);
    expect(structureKey(pair('failed'))).not.toBe(structureKey(pair('succeeded')));
  });
});

describe('tasks of one level', () => {
  it('stand in the order of the file, in either direction', () => {
    const names = ['north', 'south', 'east', 'west'];
    const tasks = [task('start'), ...names.map((key) => task(key, 'start')), task('end', ...names)];
    const right = layoutGraph(tasks).positions;
    expect([...names].sort((a, b) => right.get(a)!.y - right.get(b)!.y)).toEqual(names);
    const down = layoutGraph(tasks, { width: 800, height: 2000 });
    const place = ({ x, y }: { x: number; y: number }) => (down.direction === 'down' ? x : y);
    expect([...names].sort((a, b) => place(down.positions.get(a)!) - place(down.positions.get(b)!))).toEqual(names);
  });
});

describe('a large graph', () => {
  it('is laid out in the shape of a screen, with nothing upon another', () => {
    const tasks = fanOut(5000);
    const placed = layoutGraph(tasks);
    expect(placed.positions.size).toBe(tasks.length);
    expect(overlaps(placed)).toBe(0);
    expect(placed.width / placed.height).toBeGreaterThan(0.8);
    expect(placed.width / placed.height).toBeLessThan(4);
  });
});

describe('a deep graph', () => {
  it('is folded into bands, so that a chain of a thousand is no thread', () => {
    const chain = Array.from({ length: 1000 }, (_, index) => (index === 0 ? task('t0') : task(`t${index}`, `t${index - 1}`)));
    const placed = layoutGraph(chain);
    expect(overlaps(placed)).toBe(0);
    expect(placed.width / placed.height).toBeGreaterThan(0.8);
    expect(placed.width / placed.height).toBeLessThan(4);
  });
});

describe('the structure of a graph', () => {
  it('does not change with states', () => {
    const tasks = fanOut(3);
    expect(structureKey(tasks)).toBe(structureKey(tasks.map((each) => ({ ...each, state: 'running' as const }))));
    expect(structureKey(tasks)).not.toBe(structureKey(fanOut(4)));
  });

  it('has no edges to tasks that do not exist', () => {
    expect(edgesOf([task('a', 'missing')])).toEqual([]);
  });
});
