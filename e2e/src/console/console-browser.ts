import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const chromiumFlags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A real Chromium with one page of the console, which remembers every complaint of the page. */
export class ConsoleBrowser {
  /**
   * Errors of scripts, complaints in the browser's console (a text without a translation is one) and answers of a server that failed.
   * Refusals (4xx) are not among them: a test may provoke one.
   */
  readonly complaints: string[] = [];

  private constructor(
    private readonly browser: Browser,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly url: string,
  ) {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      const isOfAnswer = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isOfAnswer) this.complaints.push(message.text());
    });
    page.on('response', (response) => {
      if (response.status() >= 500) this.complaints.push(`${response.status()} for ${response.request().method()} ${response.url()}`);
    });
  }

  /** `zone` is the time zone of whoever looks; that of the machine without it. */
  static async open(url: string, { zone }: { zone?: string } = {}): Promise<ConsoleBrowser> {
    const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
    const browser = await chromium.launch({ executablePath, args: chromiumFlags });
    const viewport = { width: 1440, height: 900 };
    const context = await browser.newContext({ viewport, locale: 'en-GB', baseURL: url, ...(zone && { timezoneId: zone }) });
    context.setDefaultTimeout(20_000);
    return new ConsoleBrowser(browser, context, await context.newPage(), url);
  }

  async signIn(name: string, password: string): Promise<void> {
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Replaces the text of the YAML editor, as a person would by selecting all and pasting. */
  async writeYaml(text: string): Promise<void> {
    await this.page.locator('.cm-content').click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(text);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}
