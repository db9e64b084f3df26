import { describe, expect, it } from 'vitest';
import { CanvasViewport } from './canvas-viewport.js';

describe('the viewport', () => {
  it('keeps the point under the pointer when zooming', () => {
    const viewport = new CanvasViewport();
    viewport.panBy(37, -12);
    const pointer = { x: 200, y: 150 };
    const before = viewport.toDrawing(pointer);
    viewport.zoomAt(pointer, 1.7);
    const after = viewport.toDrawing(pointer);
    expect(after.x).toBeCloseTo(before.x, 6);
    expect(after.y).toBeCloseTo(before.y, 6);
  });

  it('fits a drawing into the screen and never magnifies a small one', () => {
    const viewport = new CanvasViewport();
    viewport.fit({ width: 10_000, height: 2_000 }, { width: 1048, height: 648 });
    expect(viewport.zoom).toBeCloseTo(0.1);
    viewport.fit({ width: 100, height: 100 }, { width: 1048, height: 648 });
    expect(viewport.zoom).toBe(1);
    expect(viewport.toDrawing({ x: 524, y: 324 })).toEqual({ x: 50, y: 50 });
  });
});
