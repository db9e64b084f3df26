import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../statistics/percentile.js';
import type { BenchBrowser } from './bench-browser.js';

/** A frame that comes later than this after the one before was dropped by a display of 60 Hz. */
const DROPPED_MS = 25;

export interface FrameTimes {
  frames: number;
  p95Ms: number;
  worstMs: number;
  droppedPercent: number;
}

/** Gaps between frames of the page over so many seconds. */
export async function measureFrames(browser: BenchBrowser, seconds: number): Promise<FrameTimes> {
  await browser.page.evaluate(() => {
    const gaps: number[] = [];
    let last = performance.now();
    (window as unknown as { gaps: number[] }).gaps = gaps;
    const note = (now: number) => {
      gaps.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await delay(seconds * 1000);
  const gaps = await browser.page.evaluate(() => (window as unknown as { gaps: number[] }).gaps.slice(1));
  const dropped = gaps.reduce((sum, gap) => sum + (gap > DROPPED_MS ? Math.round((gap * 60) / 1000) - 1 : 0), 0);
  return {
    frames: gaps.length,
    p95Ms: percentile(gaps, 0.95),
    worstMs: Math.max(...gaps),
    droppedPercent: (100 * dropped) / (gaps.length + dropped),
  };
}

/** Number of the last line in sight; 0 while there is none. */
export function lastLineInSight(browser: BenchBrowser): Promise<number> {
  return browser.page.evaluate(() => {
    const texts = [...document.querySelectorAll('.log-line .text')].map((each) => /^line (\d+) /.exec(each.textContent ?? '')?.[1]);
    return Math.max(0, ...texts.map((text) => Number(text ?? 0)));
  });
}
