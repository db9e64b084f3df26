import type { GraphLayout, Point } from './graph-model.js';

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

export function isDirection(key: string): key is Direction {
  return key === 'ArrowLeft' || key === 'ArrowRight' || key === 'ArrowUp' || key === 'ArrowDown';
}

/** The task one comes to by an arrow key: the nearest on that side, where a step aside counts double. The first of the drawing when none is selected. */
export function nearestTask(positions: GraphLayout['positions'], from: string | null, direction: Direction): string | null {
  const start = from === null ? undefined : positions.get(from);
  if (start === undefined) return positions.keys().next().value ?? null;
  let [nearest, least]: [string | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const [key, at] of positions) {
    const { along, aside } = distance(start, at, direction);
    if (along <= 0) continue;
    const far = along + 2 * Math.abs(aside);
    if (far < least) [nearest, least] = [key, far];
  }
  return nearest;
}

function distance(from: Point, to: Point, direction: Direction): { along: number; aside: number } {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (direction === 'ArrowRight') return { along: x, aside: y };
  if (direction === 'ArrowLeft') return { along: -x, aside: y };
  return direction === 'ArrowDown' ? { along: y, aside: x } : { along: -y, aside: x };
}
