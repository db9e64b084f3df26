import { median } from '../statistics/percentile.js';
import type { BenchBrowser } from './bench-browser.js';
import type { DrawingTimes } from './watch-drawing.js';

export interface GraphTimes {
  /** Until the graph was on the canvas, median. */
  drawnMs: number;
  /** Until it had also answered a turn of the wheel, median and worst. */
  interactiveMs: number;
  worstMs: number;
}

const timesOf = (browser: BenchBrowser) => browser.page.evaluate(() => (window as unknown as { drawing: DrawingTimes }).drawing);

async function visitOnce(browser: BenchBrowser, address: string): Promise<{ drawnMs: number; interactiveMs: number }> {
  const { page } = browser;
  await browser.visit(address, () => (window as unknown as { drawing: DrawingTimes }).drawing.drawnMs !== null);
  const box = (await page.locator('.canvas-graph > canvas').boundingBox())!;
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 3);
  await page.mouse.wheel(0, -600);
  await browser.untilFrame(() => (window as unknown as { drawing: DrawingTimes }).drawing.answeredMs !== null);
  const { drawnMs, answeredMs } = await timesOf(browser);
  return { drawnMs: drawnMs!, interactiveMs: answeredMs! };
}

/** Opens a page with a large graph by its address, again and again, after one visit that fills the browser's cache. */
export async function measureGraph(browser: BenchBrowser, address: string, visits: number): Promise<GraphTimes> {
  await visitOnce(browser, address);
  const seen = [];
  for (let count = 0; count < visits; count += 1) seen.push(await visitOnce(browser, address));
  const interactive = seen.map(({ interactiveMs }) => interactiveMs);
  return { drawnMs: median(seen.map(({ drawnMs }) => drawnMs)), interactiveMs: median(interactive), worstMs: Math.max(...interactive) };
}
