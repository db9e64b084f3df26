import type { Point } from './graph-model.js';

export interface Size {
  width: number;
  height: number;
}

const minZoom = 0.02;
const maxZoom = 1.5;

/** Which part of the drawing the canvas shows: screen = drawing × zoom + offset. */
export class CanvasViewport {
  zoom = 1;
  x = 0;
  y = 0;

  toDrawing(screen: Point): Point {
    return { x: (screen.x - this.x) / this.zoom, y: (screen.y - this.y) / this.zoom };
  }

  panBy(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
  }

  /** Zooms so that what is under the pointer stays there. */
  zoomAt(screen: Point, factor: number): void {
    const next = Math.min(maxZoom, Math.max(minZoom, this.zoom * factor));
    const scale = next / this.zoom;
    this.x = screen.x - (screen.x - this.x) * scale;
    this.y = screen.y - (screen.y - this.y) * scale;
    this.zoom = next;
  }

  fit(drawing: Size, screen: Size, margin = 24): void {
    const fitting = Math.min(
      (screen.width - 2 * margin) / Math.max(1, drawing.width),
      (screen.height - 2 * margin) / Math.max(1, drawing.height),
    );
    this.zoom = Math.min(1, Math.max(minZoom, fitting));
    this.x = (screen.width - drawing.width * this.zoom) / 2;
    this.y = (screen.height - drawing.height * this.zoom) / 2;
  }

  centreOn(point: Point, screen: Size): void {
    this.x = screen.width / 2 - point.x * this.zoom;
    this.y = screen.height / 2 - point.y * this.zoom;
  }
}
