import { describe, expect, it } from 'vitest';
import { nearestTask } from './nearest-task.js';

const positions = new Map([
  ['start', { x: 0, y: 50 }],
  ['up', { x: 200, y: 0 }],
  ['down', { x: 200, y: 100 }],
  ['end', { x: 400, y: 60 }],
]);

describe('an arrow key in a graph', () => {
  it('goes to the nearest task on its side', () => {
    expect(nearestTask(positions, 'up', 'ArrowDown')).toBe('down');
    expect(nearestTask(positions, 'down', 'ArrowRight')).toBe('end');
    expect(nearestTask(positions, 'end', 'ArrowLeft')).toBe('down');
  });

  it('stays where nothing lies on that side, and begins with the first task', () => {
    expect(nearestTask(positions, 'start', 'ArrowLeft')).toBeNull();
    expect(nearestTask(positions, null, 'ArrowRight')).toBe('start');
  });
});
