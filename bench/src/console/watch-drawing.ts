/** What the watcher leaves in the page: milliseconds since the navigation began. */
export interface DrawingTimes {
  drawnMs: number | null;
  /** When a turn of the wheel over the drawing had changed it. */
  answeredMs: number | null;
}

/**
 * Runs in the page before its own scripts: notes when the canvas of a graph holds a picture, and when that picture changed after the first turn of the wheel. Must be
 * self-contained, since its text is sent to the browser.
 */
export function watchDrawing(): void {
  const times: DrawingTimes = { drawnMs: null, answeredMs: null };
  (window as unknown as { drawing: DrawingTimes }).drawing = times;
  const small = document.createElement('canvas');
  small.width = 96;
  small.height = 60;
  const pen = small.getContext('2d', { willReadFrequently: true })!;
  let before: string | null = null;

  /** A shrunken copy of the picture; null while there is nothing on it. */
  function picture(): string | null {
    const canvas = document.querySelector<HTMLCanvasElement>('.canvas-graph > canvas');
    if (canvas === null || canvas.width === 0) return null;
    pen.clearRect(0, 0, small.width, small.height);
    pen.drawImage(canvas, 0, 0, small.width, small.height);
    const { data } = pen.getImageData(0, 0, small.width, small.height);
    const colours = new Set<number>();
    for (let at = 0; at < data.length; at += 4) colours.add(data[at]! * 65536 + data[at + 1]! * 256 + data[at + 2]!);
    return colours.size > 4 ? data.join() : null;
  }

  addEventListener(
    'wheel',
    () => {
      before ??= picture();
    },
    { capture: true, passive: true },
  );
  function look(): void {
    if (times.drawnMs === null && picture() !== null) times.drawnMs = performance.now();
    if (before !== null && times.answeredMs === null && picture() !== before) times.answeredMs = performance.now();
    if (times.answeredMs === null) requestAnimationFrame(look);
  }
  requestAnimationFrame(look);
}
