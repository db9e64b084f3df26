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

/** In the right half of the window: over the graph on the page of a workflow as well, whose left half is text. */
const HAND = { x: 1100, y: 560 };

const timesOf = (browser: BenchBrowser) => browser.page.evaluate(() => (window as unknown as { drawing: DrawingTimes }).drawing);

async function visitOnce(browser: BenchBrowser, address: string): Promise<{ drawnMs: number; interactiveMs: number }> {
  const { page } = browser;
  await browser.visit(address, () => (window as unknown as { drawing: DrawingTimes }).drawing.drawnMs !== null);
  await page.mouse.wheel(0, -600);
  await browser.untilFrame(() => (window as unknown as { drawing: DrawingTimes }).drawing.answeredMs !== null);
  const { drawnMs, answeredMs } = await timesOf(browser);
  return { drawnMs: drawnMs!, interactiveMs: answeredMs! };
}

/** Opens pages with a large graph by their addresses in turn, again and again, each beside a page with next to nothing on it; the first visits fill the browser's cache. */
export async function measureGraphs<Name extends string>(
  browser: BenchBrowser,
  addresses: Readonly<Record<Name, string>>,
  visits: number,
): Promise<{ graphs: Record<Name, GraphTimes>; smallPageMs: number }> {
  const names = Object.keys(addresses) as Name[];
  const seen = new Map(names.map((name) => [name, [] as { drawnMs: number; interactiveMs: number }[]]));
  const small: number[] = [];
  // The hand rests where every graph has its middle, so that nothing but the turn of the wheel lies between drawing and answer.
  await browser.page.mouse.move(HAND.x, HAND.y);
  for (let count = 0; count <= visits; count += 1) {
    for (const name of names) {
      const smallMs = await browser.visit('/no/such/page', () => document.querySelector('main h1, main .empty, main p') !== null);
      const times = await visitOnce(browser, addresses[name]);
      if (count === 0) continue;
      small.push(smallMs);
      seen.get(name)!.push(times);
    }
  }
  const smallPageMs = median(small);
  const graphs = Object.fromEntries(names.map((name) => [name, summed(seen.get(name)!)])) as Record<Name, GraphTimes>;
  return { graphs, smallPageMs };
}

function summed(seen: readonly { drawnMs: number; interactiveMs: number }[]): GraphTimes {
  const interactive = seen.map(({ interactiveMs }) => interactiveMs);
  return { drawnMs: median(seen.map(({ drawnMs }) => drawnMs)), interactiveMs: median(interactive), worstMs: Math.max(...interactive) };
}
