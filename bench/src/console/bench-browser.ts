import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { watchDrawing } from './watch-drawing.js';

const chromiumFlags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking'];

const PATIENCE_MS = 60_000;

/** A real Chromium, signed in to the console, whose pages tell when they have drawn a graph and answered a hand. */
export class BenchBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(url: string, name: string, password: string): Promise<BenchBrowser> {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: chromiumFlags });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', baseURL: url });
    await context.addInitScript(watchDrawing);
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return new BenchBrowser(browser, context, page);
  }

  /** Milliseconds from the start of the navigation until `isThere` first holds in the page, asked before every frame. */
  async visit(address: string, isThere: () => boolean): Promise<number> {
    await this.page.goto(address, { waitUntil: 'commit' });
    return this.untilFrame(isThere);
  }

  /** The same without going anywhere. A text, since the page's policy forbids what Playwright's own waiting does. */
  untilFrame(isThere: () => boolean): Promise<number> {
    return this.page.evaluate<number>(`new Promise((resolve, reject) => {
      const look = () => {
        if ((${isThere.toString()})()) resolve(performance.now());
        else if (performance.now() > ${PATIENCE_MS}) reject(new Error('it did not come: ' + document.body.innerText.slice(0, 500)));
        else requestAnimationFrame(look);
      };
      look();
    })`);
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.browser.close();
  }
}
